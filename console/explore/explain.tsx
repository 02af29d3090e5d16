import { ask, type KindInfo, pathOf, TABLE } from '../api/index.ts';
import { route } from '../route/index.ts';
import { Dialog, ErrorPanel, useAsked, Waiting } from '../widgets/index.ts';

interface Plan {
  readonly columnDefinitions: readonly { readonly name: string; readonly description: string }[];
  readonly rows: readonly { readonly cells: readonly (string | number)[] }[];
}

/** How Winnow finds the set, and what that costs. */
export function Explain({ kind, close }: { readonly kind: KindInfo; readonly close: () => void }) {
  const { namespace, selector, fields } = route.value;
  const { answer, error, again } = useAsked('explain', (signal) => {
    const query = { explain: 'true', limit: '500', labelSelector: selector, fieldSelector: fields };
    return ask<Plan>(pathOf(kind, namespace), { query, accept: TABLE, signal });
  });
  return (
    <Dialog title="How Winnow finds this set" close={close} size="wide">
      <p class="meta">
        The first page of 500 objects. A unit is a read unit of DynamoDB: 4 KB, or 8 KB where the read may be
        a moment old.
      </p>
      {error !== undefined && <ErrorPanel error={error} retry={again} />}
      {answer === undefined && error === undefined && <Waiting what="Asking for the plan" />}
      {answer !== undefined && (
        <table class="plain">
          <thead>
            <tr>
              {answer.columnDefinitions.map(({ name, description }) => (
                <th key={name} scope="col" title={description}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {answer.rows.map(({ cells }) => (
              <tr key={cells[0]}>
                {cells.map((cell, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the columns do not move
                  <td key={at} class={typeof cell === 'number' ? 'number' : undefined}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Dialog>
  );
}
