import { route } from '../route/index.ts';
import { sessionInfo } from '../session/index.ts';

/**
 * Why the page writes nothing now, as a sentence for the title of a disabled button. Empty if it may write.
 *
 * @param kindId the kind of an object that is written as a whole, or deleted: of hidden Secrets, only labels change
 */
export function whyNoWrites(kindId = ''): string {
  const { readOnly, secrets } = sessionInfo.value;
  if (kindId === 'secrets' && !secrets) {
    return 'The data of Secrets is hidden: start the console with --secrets to edit or delete them';
  }
  if (readOnly) return 'The console runs with --read-only';
  const { as } = route.value;
  return as === ''
    ? ''
    : `You see as ${as}, and the console writes as yourself only. Stop seeing as ${as} first`;
}
