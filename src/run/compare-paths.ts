const SEGMENT = /^(\D*)(\d*)(?:\.(\d+))?/;

/** Which of two places comes first in the run's structure: branches, members and calls in the order they were declared in. */
export function comparePaths(a: string, b: string): number {
  const [ours, theirs] = [a.split("/"), b.split("/")];
  const at = ours.findIndex((segment, index) => segment !== theirs[index]);
  if (at === -1) return ours.length - theirs.length;
  const [, ownLetter = "", ownNumber = "", ownStage = ""] = SEGMENT.exec(ours[at] ?? "") ?? [];
  const [, letter = "", number = "", stage = ""] = SEGMENT.exec(theirs[at] ?? "") ?? [];
  if (ownLetter !== letter) return ownLetter < letter ? -1 : 1;
  return Number(ownNumber) - Number(number) || Number(ownStage) - Number(stage);
}
