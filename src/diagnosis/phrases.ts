/** Phrases in answers, in English only; nothing is claimed about other languages. All patterns run in linear time. */
export const phrases = {
  /** The answer asks for something that the agent was not given. */
  misses: [
    /\b(?:could|can|would) (?:you|someone|somebody) (?:please )?(?:provide|share|send|give|tell|specify|clarify|remind|confirm|resend|repeat)\b/i,
    /\bplease (?:provide|share|send|specify|clarify|tell|remind|resend|repeat|give me|confirm)\b/i,
    /\bi (?:do not|don't|cannot|can't|could not|couldn't) (?:have|know|see|find|tell)\b/i,
    /\b(?:i|we|nobody|no one)(?: was| were| have| has|'ve)? ?(?:wasn't|weren't|haven't|not|never) (?:been )?(?:given|told|provided|shown|informed)\b/i,
    /\b(?:nobody|no one) (?:has )?(?:told|gave|given|said|mentioned|mentions)\b/i,
    /\b(?:i am|i'm|we are|we're) (?:still )?missing\b/i,
    /\bwhat (?:is|remains|stays) (?:missing|unknown|open)\b/i,
    /\b(?:unknown to me|not known to me|no (?:word|mention|data|figures?|information) (?:on|of|about))\b/i,
    /\b(?:is|are|was|were) (?:missing|not (?:included|provided|given|specified|attached|mentioned|known to me))\b/i,
    /\b(?:i|we) (?:still )?(?:need|lack|miss|am missing|are missing) (?:the|your|an?|more|to know)\b/i,
    /\b(?:what|which|who|when|where) (?:is|are|was|were) (?:the|your)\b[^.?!]{0,120}\?/i,
    /\b(?:which|what)\b[^.?!]{0,120}\bshould i\b/i,
    /\b(?:which|what) [\w-]+(?: [\w-]+){0,3} (?:do|does|did|is|are|was|were|should) (?:you|it|this|that|i|we|they)\b[^.?!]{0,120}\?/i,
  ],
  /** The answer guesses although the agent could have asked. */
  guesses: [
    /\b(?:i|we)(?: will|'ll| shall| am going to| have to| just| simply)* (?:assume|guess|presume)d?\b/i,
    /\b(?:i am|i'm|we are|we're) (?:assuming|guessing|presuming)\b/i,
    /\bassuming (?:that|it|you|they|the)\b/i,
    /\bmy (?:best )?guess\b/i,
    /\b(?:it is|it's|i am|i'm|was|is) (?:not (?:clear|sure|certain)|unclear|ambiguous|unsure)\b[^.?!]{0,20}\b(?:which|what|whether|who|if|how|where|when)\b/i,
  ],
  /** The answer says that the work is not the agent's own. */
  refuses: [
    /\b(?:not|isn't|is not|falls?) (?:in |within |outside |part of )?(?:my|our) (?:job|area|field|department|responsibility|expertise|domain|role|remit|scope|team)\b/i,
    /\b(?:outside|beyond) (?:of )?(?:my|our|what i)\b/i,
    /\b(?:wrong|another|a different|the other) (?:department|agent|team|desk|person|specialist|expert|queue)\b/i,
    /\bi(?: am|'m)? (?:cannot|can't|can not|unable to|not able to|not the right \w+ to) (?:help|assist|handle|deal|answer|work on|take)\b/i,
    /\b(?:i am|i'm) not (?:responsible|in charge|the right)\b/i,
    /\b(?:this|it|that) (?:belongs|should (?:go|be sent|have gone|be handled)|is (?:a matter )?for)\b[^.?!]{0,40}\b(?:to|by|with|team|department|agent|desk|for)\b/i,
    /\b(?:i|we) only (?:handle|deal with|do|answer|work on)\b/i,
  ],
  /** The answer itself says that there is work left. */
  unfinished: [
    /\b(?:still|yet) (?:needs?|has|have|remains?|to be|must be|have to be) (?:to be )?(?:\w+)?\b/i,
    /\b(?:not|isn't|aren't|haven't|hasn't) (?:yet )?(?:been )?(?:finished|complete|completed|done|implemented|written|tested) yet\b/i,
    /\b(?:not yet|have yet to|yet to be) \w+/i,
    /\b(?:i|we)(?: will|'ll| am going to| shall) (?:now|next|then|continue|finish|complete|proceed|start|begin)\b/i,
    /\bnext,? (?:i|we)(?: will|'ll)\b/i,
    /\b(?:todo|to do later|to be continued|remaining steps|left to do)\b/i,
  ],
  approves: [
    /\b(?:approved?|looks? (?:good|fine|correct|right)|lgtm|all (?:good|tests? pass(?:ed)?|checks? pass(?:ed)?|in order)|passes|passed|verified|confirmed|no (?:problems?|issues?|errors?|defects?) (?:found|at all|left)?|correct as it is|ready (?:to|for)|well done)\b/i,
  ],
  /** The answer objects, so it does not approve, whatever else it says. */
  objects: [
    /\b(?:not (?:approved?|correct|ready|verified|pass(?:ed)?)|reject(?:ed|s)?|cannot (?:approve|confirm|verify)|can't (?:approve|confirm|verify)|could not (?:be )?(?:verif\w+|check\w*|confirm\w*|run)|fail(?:s|ed|ure|ures|ing)?|broken|wrong|unverified|did not (?:pass|run)|needs? (?:work|changes|another|fixing|a fix))\b/i,
  ],
  /** The answer greets, as at the beginning of a conversation. */
  greets: [
    /\bhow (?:can|may) i (?:help|assist)\b/i,
    /^\W*(?:hello|hi|welcome|good (?:morning|day|evening))\b[^.!?]{0,60}[.!?]/i,
    /\b(?:i am|i'm) [\w -]{1,40}, your\b/i,
  ],
} as const satisfies Readonly<Record<string, readonly RegExp[]>>;

/** The rest of a longer answer is not searched. */
const MOST = 20_000;

/** Finds the first sentence with one of the phrases. */
export function findPhrase(text: string, kind: keyof typeof phrases): string | undefined {
  return findPhrases(text, kind)[0];
}

/** Finds every sentence with one of the phrases. */
export function findPhrases(text: string, kind: keyof typeof phrases): string[] {
  const sentences = text.slice(0, MOST).match(/[^.?!\n]+(?:[.?!](?!\s)[^.?!\n]*)*[.?!]*/g) ?? [];
  return sentences.map((each) => each.trim()).filter((each) => phrases[kind].some((phrase) => phrase.test(each)));
}
