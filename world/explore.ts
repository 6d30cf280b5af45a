/** Lives through generated stories until enough steps were made, or a law is broken; then finds the shortest such story. */
import fc from 'fast-check';
import { type Life, live } from './live.ts';
import type { Parts } from './parts.ts';
import { type Make, type Setting, type Story, stories } from './story.ts';

/** How far to go. */
export interface Exploration {
  readonly make: Make;
  readonly steps: number;
  readonly seed: number;
  /** Calls in a story at most. Default 12. */
  readonly calls?: number | undefined;
  /** Parts that are exchanged, anew for each story. */
  readonly parts?: (() => Parts) | undefined;
  /** Only worlds that are made so. */
  readonly where?: Partial<Setting> | undefined;
  /** Only stories of this kind. */
  readonly needs?: ((story: Story) => boolean) | undefined;
  /** Only this law is looked at. */
  readonly breaks?: RegExp | undefined;
  /** `false` is content with the first story that breaks a law, and looks for no shorter one. */
  readonly shrinks?: boolean | undefined;
  readonly onProgress?: ((found: Found) => void) | undefined;
}

/** What was found. */
export interface Found {
  steps: number;
  stories: number;
  calls: number;
  runs: number;
  repeats: number;
  effects: number;
  /** The shortest story that breaks a law, and which. */
  broken?: { readonly story: Story; readonly laws: readonly string[] } | undefined;
}

/** Stories between two looks at the steps. */
const BATCH = 50;

class LawBroken extends Error {
  readonly laws: readonly string[];

  constructor(laws: readonly string[]) {
    super(laws.join('; '));
    this.laws = laws;
  }
}

/** Explores. The same seed finds the same. */
export async function explore(exploration: Exploration): Promise<Found> {
  const { make, steps, seed, calls = 12, where, needs = () => true, onProgress } = exploration;
  const { breaks = /(?:)/, shrinks = true } = exploration;
  const found: Found = { steps: 0, stories: 0, calls: 0, runs: 0, repeats: 0, effects: 0 };
  const wanted = stories(make, calls, where).filter(needs);
  for (let batch = 0; found.steps < steps; batch += 1) {
    const result = await fc.check(
      fc.asyncProperty(wanted, async (story) => {
        const life = await live(story, exploration.parts?.());
        add(found, story, life);
        const laws = life.broken.filter((law) => breaks.test(law));
        if (laws.length > 0) throw new LawBroken(laws);
      }),
      { numRuns: BATCH, seed: seed + batch, endOnFailure: !shrinks },
    );
    onProgress?.(found);
    if (!result.failed) continue;
    const [story] = result.counterexample ?? [];
    const error: unknown = result.errorInstance;
    if (story === undefined || !(error instanceof LawBroken)) throw error;
    found.broken = { story, laws: error.laws };
    return found;
  }
  return found;
}

function add(found: Found, story: Story, life: Life): void {
  found.stories += 1;
  found.calls += story.calls.length;
  found.steps += life.steps;
  found.runs += life.runs;
  found.repeats += life.repeats;
  found.effects += life.effects;
}
