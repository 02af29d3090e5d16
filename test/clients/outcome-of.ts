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
