import type { Outcome } from './client.ts';

/** Tries a behaviour. What it throws is why it does not work. */
export async function outcomeOf(behaviour: string, attempt: () => Promise<void>): Promise<Outcome> {
  try {
    await attempt();
    return { behaviour };
  } catch (error) {
    return { behaviour, error: error instanceof Error ? error.message : String(error) };
  }
}

/** Tries one step after another, also after one that failed, and reports the outcome of each. */
export async function trySteps(
  steps: Readonly<Record<string, () => Promise<void>>>,
  tell: (outcome: Outcome) => void,
): Promise<void> {
  for (const [behaviour, step] of Object.entries(steps)) tell(await outcomeOf(behaviour, step));
}
