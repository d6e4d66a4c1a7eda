/** Adds two numbers as they are written in decimals: 0.1 + 0.2 is 0.3, although binary fractions make it 0.30000000000000004. */
export function addDecimals(a: number, b: number): number {
  if (Number.isInteger(a) && Number.isInteger(b)) return a + b;
  const [left, right] = [readDecimal(a), readDecimal(b)];
  const scale = Math.max(left.scale, right.scale);
  const sum = raise(left, scale) + raise(right, scale);
  return Number(`${sum}e${-scale}`);
}

/** A number is `digits` divided by ten to the power of `scale`. */
interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

function readDecimal(number: number): Decimal {
  const [mantissa = "", exponent = "0"] = String(number).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), scale: fraction.length - Number(exponent) };
}

function raise({ digits, scale }: Decimal, wanted: number): bigint {
  return digits * 10n ** BigInt(wanted - scale);
}
