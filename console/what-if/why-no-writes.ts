import { route } from '../route/index.ts';
import { sessionInfo } from '../session/index.ts';

/** Why the page writes nothing now, as a sentence for the title of a disabled button. Empty if it may write. */
export function whyNoWrites(): string {
  if (sessionInfo.value.readOnly) return 'The console runs with --read-only';
  const { as } = route.value;
  return as === ''
    ? ''
    : `You see as ${as}, and the console writes as yourself only. Stop seeing as ${as} first`;
}
