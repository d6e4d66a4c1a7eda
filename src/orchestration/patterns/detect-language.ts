/** Scripts that tell a language, or nearly so. */
const scripts: readonly (readonly [language: string, letters: RegExp])[] = [
  ["ja", /[\p{sc=Hiragana}\p{sc=Katakana}]/gu],
  ["ko", /\p{sc=Hangul}/gu],
  ["zh", /\p{sc=Han}/gu],
  ["ru", /\p{sc=Cyrillic}/gu],
  ["ar", /\p{sc=Arabic}/gu],
];

/** Frequent short words of languages in Latin letters. */
const words: Readonly<Record<string, ReadonlySet<string>>> = {
  en: listWords("the and is of to in that it for you with not are this was have be on at by from or we"),
  de: listWords("der die das und ist nicht ein eine zu den mit sich auf für von dem sie wir auch als wird ich"),
  fr: listWords("le la les et est une des dans pour que qui pas sur avec vous nous ne au du ce il elle"),
  es: listWords("el los las y es una en que de para con no por se lo su como más pero del al"),
  it: listWords("il lo gli e è una di che per non con sono del della in si come anche più ma"),
  nl: listWords("de het een en is van niet dat in te op voor met zijn er aan ook als maar wij"),
  pt: listWords("o os as e é uma de que para não com em do da no na se por mais como você"),
  vi: listWords("và là của không có cho được một các trong này với tôi bạn đã những để khi người"),
};

/** Short texts tell too little. */
const MIN_WORDS = 6;
const MIN_LEAD = 2;

function listWords(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}

/** The language of a text, where it is plain; undefined where it may be several. Code and names are no language. */
export function detectLanguage(text: string): string | undefined {
  const prose = text.replaceAll(/```[\s\S]*?(?:```|$)/g, " ").replaceAll(/https?:\S+/g, " ");
  const letters = prose.match(/\p{L}/gu)?.length ?? 0;
  for (const [language, pattern] of scripts)
    if ((prose.match(pattern)?.length ?? 0) * 3 > letters && letters > 3) return language;
  const found = prose.toLowerCase().match(/\p{L}[\p{L}\p{M}]*/gu) ?? [];
  if (found.length < MIN_WORDS) return undefined;
  const counts = Object.entries(words).map(([language, own]) => ({
    language,
    count: found.filter((word) => own.has(word)).length,
  }));
  const [first, second] = counts.sort((a, b) => b.count - a.count);
  if (first === undefined || second === undefined) return undefined;
  return first.count >= second.count + MIN_LEAD && first.count * 12 >= found.length ? first.language : undefined;
}
