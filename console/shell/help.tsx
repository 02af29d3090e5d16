import { Dialog } from '../widgets/index.ts';

const KEYS = [
  ['/', 'edit the selector'],
  ['j k', 'next and previous row'],
  ['Enter', 'open the object of the row'],
  ['x', 'select the row'],
  ['a', 'select all rows, or none'],
  ['e', 'edit the labels of the selected rows, or of the row'],
  ['p', 'table or pivot'],
  ['Ctrl K or ⌘K', 'go to a kind, a namespace, a view'],
  ['Esc', 'back'],
] as const;

/** The keys, and the language of selectors. */
export function Help({ close }: { readonly close: () => void }) {
  return (
    <Dialog title="Keys and selectors" close={close}>
      <table class="plain">
        <tbody>
          {KEYS.map(([key, what]) => (
            <tr key={key}>
              <th scope="row">
                <kbd>{key}</kbd>
              </th>
              <td>{what}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h3>Selectors</h3>
      <p>
        <code>tier=frontend</code>, <code>tier!=frontend</code> (also objects without the label),{' '}
        <code>environment in (production,qa)</code>, <code>tier notin (batch)</code>, <code>canary</code> (the
        label exists), <code>!canary</code>, <code>cpus&gt;4</code>. Commas mean "and".
      </p>
    </Dialog>
  );
}
