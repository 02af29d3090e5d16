import { nameKey } from '../../store/index.ts';
import { tallyOf } from '../tallies/index.ts';
import type { Progress } from './progress.ts';
import { type SelectedOptions, selectedPage } from './selected-page.ts';

/**
 * Counts what was selected at the position, where somebody begins who knows that: a page at a time, each of them stored.
 *
 * @throws {GoneError} the position is too old to be listed.
 */
export async function countSet(progress: Progress, options: SelectedOptions): Promise<void> {
  while (progress.state.step === 'count') {
    const { state } = progress;
    const { items, next } = await selectedPage(options, state, { selecting: state });
    const tally = tallyOf(state.tally, items);
    await progress.store(
      next === undefined ? { tally, step: 'journal', boundary: '' } : { tally, boundary: nameKey(next) },
    );
  }
}
