/** A question, and the number of the fact that answers it. */
interface AskedFact {
  readonly question: string;
  readonly fact: number;
}

const people = [
  ...[
    "Ada",
    "Bert",
    "Chi",
    "Dora",
    "Emil",
    "Fay",
    "Gus",
    "Hanh",
    "Iris",
    "Jon",
    "Kim",
    "Lea",
    "Milo",
    "Nga",
    "Otto",
    "Pia",
  ],
  ...["Quin", "Rosa", "Sven", "Tam"],
];
const drinks = [
  "green tea",
  "black coffee",
  "oat milk",
  "apple juice",
  "sparkling water",
  "hot chocolate",
  "lemonade",
  "cider",
];
const towns = ["Hanoi", "Bremen", "Lyon", "Porto", "Ghent", "Turin", "Bergen", "Graz", "Cork", "Leeds"];
const pets = ["a parrot", "two cats", "a greyhound", "a tortoise", "three hens", "a hamster", "an old horse"];
const jobs = ["repairs bicycles", "teaches chemistry", "drives a tram", "writes songs", "runs a bakery", "sells lamps"];
const foods = ["peanuts", "shellfish", "strawberries", "gluten", "mushrooms"];
const books = ["crime novels", "poems", "atlases", "cookbooks"];
const vehicles = ["bicycle", "ferry", "train", "scooter", "foot"];
const languages = ["Dutch", "Vietnamese", "Polish", "Swahili"];
const days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

function pick<Value>(values: readonly Value[], index: number): Value {
  const value = values[index % values.length];
  if (value === undefined) throw new Error("a list of words is empty");
  return value;
}

/** Two hundred facts: ten of each of twenty people, so that a name alone does not find them. */
export const facts: readonly string[] = people.flatMap((name, index) => [
  `${name} likes to drink ${pick(drinks, index)}.`,
  `${name} lives in ${pick(towns, index * 3)}.`,
  `${name} has ${pick(pets, index * 5)} at home.`,
  `${name} ${pick(jobs, index * 7)} for a living.`,
  `${name} is free every ${pick(days, index * 2)} afternoon.`,
  `${name} cannot eat ${pick(foods, index)}.`,
  `${name} was born in 19${60 + index}.`,
  `${name} reads ${pick(books, index * 3)} at night.`,
  `${name} comes to the office by ${pick(vehicles, index)}.`,
  `${name} speaks ${pick(languages, index * 2)} with the family.`,
]);

const wordings: readonly ((name: string) => string)[] = [
  (name) => `What should I order for ${name} to drink?`,
  (name) => `In which town is ${name} living?`,
  (name) => `Which animals does ${name} keep at home?`,
  (name) => `How does ${name} earn a living?`,
  (name) => `When in the week is ${name} free?`,
  (name) => `${name}'s favourite beverage`,
  (name) => `Where can ${name} be visited?`,
  (name) => `Which allergies must a cook know of for ${name}?`,
  (name) => `How old is ${name}?`,
  (name) => `A book as a present for ${name}`,
  (name) => `How does ${name} get to the office?`,
  (name) => `Which tongue is spoken at ${name}'s home?`,
];
const asked = [0, 1, 2, 3, 4, 0, 1, 5, 6, 7, 8, 9];

/** A hundred questions, some with no word of their fact but the name. */
export const questions: readonly AskedFact[] = Array.from({ length: 100 }, (_, index) => {
  const person = (index * 7) % people.length;
  const wording = index % wordings.length;
  return { question: pick(wordings, wording)(pick(people, person)), fact: person * 10 + pick(asked, wording) };
});
