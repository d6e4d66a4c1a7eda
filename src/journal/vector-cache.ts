/** An entry of memory, and how near its vector is: higher is nearer. */
export interface Near {
  readonly number: number;
  readonly score: number;
}

/** The vectors of one scope that were read so far, one after the other. */
interface ScopeVectors {
  readonly dimensions: number;
  readonly numbers: number[];
  values: Float32Array;
}

/** Scopes whose vectors stay in memory. */
const KEPT_SCOPES = 16;

/**
 * Compares a vector with all vectors of a scope. Numbers of entries only grow and an entry that changes gets a new number, so only
 * entries that were added since the last search are read. Whoever searches leaves out those that are gone.
 */
export function createVectorCache() {
  const scopes = new Map<string, ScopeVectors>();
  const open = (scope: string, dimensions: number): ScopeVectors => {
    const known = scopes.get(scope);
    const vectors =
      known?.dimensions === dimensions ? known : { dimensions, numbers: [], values: new Float32Array(dimensions * 64) };
    // The scope that was used last is the last to go.
    scopes.delete(scope);
    scopes.set(scope, vectors);
    for (const oldest of scopes.keys()) if (scopes.size > KEPT_SCOPES) scopes.delete(oldest);
    return vectors;
  };
  return {
    /** The number of the last entry that was read. */
    lastNumber: (scope: string, dimensions: number) => open(scope, dimensions).numbers.at(-1) ?? 0,
    /** Adds the vector of an entry, as it is stored: numbers of 32 bits. One that is there already is left out. */
    add(scope: string, dimensions: number, number: number, bytes: Uint8Array): void {
      const vectors = open(scope, dimensions);
      if (number > (vectors.numbers.at(-1) ?? 0)) add(vectors, number, new Float32Array(Uint8Array.from(bytes).buffer));
    },
    search(scope: string, vector: readonly number[], limit: number): Near[] {
      const { numbers, values, dimensions } = open(scope, vector.length);
      const wanted = Float32Array.from(vector);
      const best: Near[] = [];
      let least = 0;
      for (let index = 0; index < numbers.length; index++) {
        const score = multiply(values, index * dimensions, wanted);
        if (score <= least) continue;
        best.push({ number: numbers[index] ?? 0, score });
        if (best.length < limit * 2) continue;
        keepBest(best, limit);
        least = best.at(-1)?.score ?? 0;
      }
      keepBest(best, limit);
      return best;
    },
  };
}

function add(vectors: ScopeVectors, number: number, vector: Float32Array): void {
  const at = vectors.numbers.length * vectors.dimensions;
  if (at + vectors.dimensions > vectors.values.length) {
    const larger = new Float32Array(vectors.values.length * 2);
    larger.set(vectors.values);
    vectors.values = larger;
  }
  vectors.values.set(vector, at);
  vectors.numbers.push(number);
}

function keepBest(found: Near[], limit: number): void {
  found.sort((a, b) => b.score - a.score);
  found.length = Math.min(found.length, limit);
}

function multiply(values: Float32Array, from: number, wanted: Float32Array): number {
  let sum = 0;
  // Within both arrays: asking each time whether a number is there takes three times as long.
  for (let at = 0; at < wanted.length; at++) sum += (values[from + at] as number) * (wanted[at] as number);
  return sum;
}
