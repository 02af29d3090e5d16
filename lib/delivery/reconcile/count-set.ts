import { nameKey } from '../../store/index.ts';
import { tallyOf } from '../tallies/index.ts';
import type { Progress } from './progress.ts';
import { type SelectedOptions, selectedPage } from './selected-page.ts';

/**
 * Computes the digest of the set at the position, for a verified subscription that starts without a snapshot. It stores
 * the result of each page.
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
