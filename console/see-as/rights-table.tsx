import { Waiting } from '../widgets/index.ts';
import type { Rights } from './ask-rights.ts';
import { VERBS } from './subjects.ts';

interface RightsTableProps {
  readonly rights: readonly Rights[];
  readonly user: string;
  readonly namespace: string;
}

const TONES = { yes: 'enter', some: 'change', no: 'inline-meta' } as const;

/** What a user may do with some kinds, by verb. */
export function RightsTable({ rights, user, namespace }: RightsTableProps) {
  if (rights.length === 0) return <Waiting what="Asking what the user may do" />;
  const hasSome = rights.some(({ verbs }) => [...verbs.values()].includes('some'));
  return (
    <>
      <table class="plain rights">
        <caption class="meta">
          What {user} may do {namespace === '' ? 'in all namespaces' : `in the namespace ${namespace}`}
        </caption>
        <thead>
          <tr>
            <th scope="col">Kind</th>
            {VERBS.map((verb) => (
              <th key={verb} scope="col">
                {verb}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rights.map(({ kind, verbs }) => (
            <tr key={kind.id}>
              <th scope="row" class="mono">
                {kind.id}
              </th>
              {VERBS.map((verb) => {
                const may = verbs.get(verb);
                return <td key={verb}>{may === undefined ? '…' : <span class={TONES[may]}>{may}</span>}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {hasSome && <p class="meta">“some”: a grant gives the right over objects with certain labels only.</p>}
      {namespace === '' && (
        <p class="meta">
          Rights in one namespace only do not count here. To check them, choose that namespace in the page
          first.
        </p>
      )}
    </>
  );
}
