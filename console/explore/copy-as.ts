import type { KindInfo } from '../api/index.ts';
import type { Route } from '../route/index.ts';
import { sessionInfo } from '../session/index.ts';
import { copyText, type MenuItem } from '../widgets/index.ts';
import { accessGrantOf, curlOf, kubectlOf, subscriptionOf, typescriptOf } from './texts-of-set.ts';

/** The texts by which other programs ask for the same set. */
export function copyItems(kind: KindInfo, { namespace, selector, fields }: Route): MenuItem[] {
  const set = { kind, namespace, selector, fields };
  const { server } = sessionInfo.value;
  const none = kind.namespaced && namespace === '' ? 'choose a namespace first' : 'not for this selector';
  const item = (text: string, note: string, copied: string | undefined): MenuItem => ({
    text,
    note: copied === undefined ? none : note,
    isDisabled: copied === undefined,
    act: () => void copyText(copied ?? '', text),
  });
  return [
    item('kubectl', 'get -l … --watch', kubectlOf(set)),
    item('curl', 'with the API’s URL', curlOf(set, server)),
    item('TypeScript', '@winnow-dev/client', typescriptOf(set, server)),
    item('Subscription', 'a queue for the set', subscriptionOf(set)),
    item('AccessGrant', 'rights on the set', accessGrantOf(set)),
    item('link', 'this view', location.href),
  ];
}
