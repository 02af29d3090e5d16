import type { KindInfo } from '../api/index.ts';
import { quoted } from '../selector/index.ts';

interface ObjectCommand {
  readonly text: string;
  readonly command: string;
}

interface CommandsOptions {
  readonly kind: Pick<KindInfo, 'id'>;
  /** Empty for an object without a namespace. */
  readonly namespace: string;
  readonly name: string;
}

/** The commands for an object, as a user types them in a shell. */
export function commandsFor({ kind, namespace, name }: CommandsOptions): readonly ObjectCommand[] {
  const inside = namespace === '' ? '' : ` -n ${quoted(namespace)}`;
  const object = quoted(`${kind.id}/${name}`);
  return [
    { text: 'kubectl get', command: `kubectl get ${object}${inside} -o yaml` },
    { text: 'kubectl describe', command: `kubectl describe ${object}${inside}` },
    { text: 'winnow log', command: `winnow log ${object}${inside}` },
    { text: 'winnow who-selects', command: `winnow who-selects ${object}${inside}` },
  ];
}
