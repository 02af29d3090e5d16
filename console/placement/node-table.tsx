import { useState } from 'preact/hooks';
import { navigate, openText } from '../route/index.ts';
import { Shown } from '../set-objects/index.ts';
import { Empty } from '../widgets/index.ts';
import {
  hasReason,
  type NodeRow,
  type Placement,
  placementSentence,
  type Reason,
  reasonsOf,
  rowsOf,
  withoutNodes,
} from './placement.ts';

interface NodeTableProps {
  readonly placement: Placement;
  readonly count: number;
  /** The object whose pods were placed. */
  readonly what: string;
}

const TONES = { chosen: 'enter', possible: 'muted', refused: 'leave' } as const;

/** The answer: a sentence, the reasons with their numbers of nodes, and a row for each node. */
export function NodeTable({ placement, count, what }: NodeTableProps) {
  const [wanted, setWanted] = useState<Reason>();
  const rows = rowsOf(placement);
  const reasons = reasonsOf(rows);
  const most = Math.max(1, ...rows.map(({ score = 0 }) => score));
  if (rows.length === 0) {
    return (
      <Empty title="There are no nodes.">
        <p>Winnow places pods on the Nodes that it stores. Create some Nodes, and write their status.</p>
      </Empty>
    );
  }
  const shown = wanted === undefined ? rows : rows.filter((row) => hasReason(row, wanted));
  const isNotReady = reasons.some(({ text }) => text.includes('node.kubernetes.io/not-ready'));
  return (
    <>
      <div class="answer">
        <h2>{placementSentence(placement, count)}</h2>
        <p class="meta">{what}</p>
        {placement.message !== undefined && <p>{placement.message}</p>}
        {reasons.length > 0 && (
          <ul class="reasons" aria-label="Why nodes are refused">
            {reasons.map((reason) => (
              <li key={reason.text}>
                <button
                  type="button"
                  aria-pressed={wanted?.text === reason.text}
                  onClick={() => setWanted(wanted?.text === reason.text ? undefined : reason)}
                >
                  <b>
                    {reason.nodes} {reason.nodes === 1 ? 'node' : 'nodes'}
                  </b>{' '}
                  {reason.text}
                </button>
              </li>
            ))}
          </ul>
        )}
        {isNotReady && (
          <p class="meta">
            A node reports in its status that it is ready, and <code>kubectl apply</code> does not write the
            status. Use <code>kubectl replace --subresource=status -f FILE</code>.
          </p>
        )}
      </div>
      <Shown items={shown} what="nodes">
        {(some) => (
          <table class="plain rows tight">
            <thead>
              <tr>
                <th scope="col">Node</th>
                <th scope="col">Verdict</th>
                <th scope="col" title="The sum of the points of all rules. The highest score wins.">
                  Score
                </th>
                <th scope="col">Why</th>
              </tr>
            </thead>
            <tbody>
              {some.map((row) => (
                <NodeLine key={row.node} row={row} most={most} count={count} />
              ))}
            </tbody>
          </table>
        )}
      </Shown>
    </>
  );
}

interface NodeLineProps {
  readonly row: NodeRow;
  readonly most: number;
  readonly count: number;
}

function NodeLine({ row, most, count }: NodeLineProps) {
  const { node, verdict, pods, score, scores, rule, reasons } = row;
  const open = () => navigate({ open: openText({ kind: 'nodes', namespace: '', name: node }), tab: '' });
  return (
    <tr class={verdict === 'chosen' ? 'chosen' : ''}>
      <th scope="row">
        <button type="button" class="row-name" onClick={open}>
          {node}
        </button>
      </th>
      <td class="nowrap">
        <span class={`phase ${TONES[verdict]}`}>
          {verdict}
          {verdict === 'chosen' && count > 1 && ` · ${pods} ${pods === 1 ? 'pod' : 'pods'}`}
        </span>
      </td>
      <td class="score">
        {score !== undefined && (
          <>
            <span class="number">{score}</span>
            <span class="score-bar" aria-hidden="true">
              <span class="facet-bar" style={{ width: `${(score / most) * 100}%` }} />
            </span>
          </>
        )}
      </td>
      <td>
        {verdict === 'refused' ? (
          <>
            {reasons.map(withoutNodes).join(', ')} <span class="inline-meta">{rule}</span>
          </>
        ) : (
          <span class="inline-meta">{scores.map(([name, points]) => `${name} ${points}`).join(' · ')}</span>
        )}
      </td>
    </tr>
  );
}
