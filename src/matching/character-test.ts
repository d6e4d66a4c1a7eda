/** Whether a character, by its code, is one of those that are meant. */
export type CharacterTest = (code: number) => boolean;

export function isLiteral(literal: number): CharacterTest {
  return (code) => code === literal;
}

/** As what stands for one character in a regular expression says: `.`, `\d`, `[a-z]`. Each character is asked about once. */
export function oneLike(written: string, flags: string): CharacterTest {
  const expression = new RegExp(`^${written}$`, flags);
  const known = new Map<number, boolean>();
  return (code) => {
    const before = known.get(code);
    if (before !== undefined) return before;
    const isMeant = expression.test(String.fromCodePoint(code));
    known.set(code, isMeant);
    return isMeant;
  };
}
