import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Selector } from '../../lib/selectors/index.ts';
import { kinds, kindsError } from '../api/index.ts';
import { navigate, route } from '../route/index.ts';
import { SetBar } from '../set-objects/index.ts';
import { Empty, ErrorPanel, useAsked, Waiting } from '../widgets/index.ts';
import { askAll, type Destination, readPods } from './ask-reachability.ts';
import { Explanation } from './explanation.tsx';
import { PROTOCOLS, portError, readInputs, writeInputs } from './inputs.ts';
import { type Answers, MOST_GROUPS, type Pair, pairsOf, pairsPerCell, type Reachability } from './matrix.ts';
import { MatrixTable } from './matrix-table.tsx';
import { groupPods, type PodGroup, type PodMetadata } from './pod-groups.ts';

/** A matrix of groups of pods: which group may send to which, and by which policy. */
export function ReachabilityView() {
  const { namespace, keys, fields, as, groups: asGroups } = route.value;
  const { key, port, protocol } = readInputs(keys, fields);
  const { answer, error, again } = useAsked(JSON.stringify([namespace, as, asGroups]), async (signal) => ({
    namespace,
    ...(await readPods(namespace, signal)),
  }));
  const read = answer?.namespace === namespace ? answer : undefined;
  // The port of a name differs between pods, so only pods with the same labels are alike.
  const selectors = /^\d+$/.test(port) ? read?.selectors : undefined;
  const groups = useMemo(() => groupPods(read?.pods ?? [], key, selectors), [read?.pods, key, selectors]);
  if (kindsError.value !== undefined) return <ErrorPanel error={kindsError.value} />;
  if (kinds.value.length === 0) return <Waiting />;
  return (
    <div class="side-view">
      <SetBar title="Reachability" note="which pods may send to which, by NetworkPolicies">
        <KeyField value={key} pods={read?.pods ?? []} />
        <PortFields port={port} protocol={protocol} />
        <button type="button" class="end" onClick={again}>
          Ask again
        </button>
      </SetBar>
      {error !== undefined ? (
        <ErrorPanel error={error} retry={again} />
      ) : read === undefined ? (
        <Waiting what="Reading the pods" />
      ) : read.pods.length === 0 ? (
        <Empty title="There are no pods here.">
          <p>
            The matrix shows which groups of pods may send to which. Choose another namespace, or create some
            pods.
          </p>
        </Empty>
      ) : (
        <Matrix groups={groups} read={read} label={key} destination={{ port, protocol }} />
      )}
    </div>
  );
}

interface MatrixProps {
  readonly groups: readonly PodGroup[];
  readonly read: {
    readonly pods: readonly PodMetadata[];
    readonly isPart: boolean;
    readonly selectors: readonly Selector[] | undefined;
    readonly hasAddresses: boolean;
  };
  readonly label: string;
  readonly destination: Destination;
}

function Matrix({ groups, read, label, destination }: MatrixProps) {
  const { as } = route.value;
  const shown = groups.slice(0, MOST_GROUPS);
  const most = pairsPerCell(shown.length);
  const cells = shown.map((from) => shown.map((to) => pairsOf(from, to)));
  const asked = cells.map((line) => line.map((pairs) => pairs.slice(0, most)));
  const questions = [...new Map(asked.flat(2).map((pair) => [pair.key, pair])).values()];
  const answers = useAnswers(questions, destination, read.pods);
  const isCut = cells.some((line) => line.some((pairs) => pairs.length > most));
  const [from, to] = route.value.pivot;
  const row = shown.findIndex(({ name }) => name === from);
  const column = shown.findIndex(({ name }) => name === to);
  const chosen = asked[row]?.[column];
  return (
    <div class={chosen === undefined ? 'matrix-view' : 'matrix-view with-detail'}>
      <div class="matrix-box">
        {as !== '' && (
          <p class="callout change">
            The pods are those that <b>{as}</b> sees. A review is a POST, so Winnow answers it for you.
          </p>
        )}
        {answers.size < questions.length && (
          <p class="meta answer-progress" role="status">
            <progress max={questions.length} value={answers.size} aria-label="Answers" /> {answers.size} of{' '}
            {questions.length} answers
          </p>
        )}
        <MatrixTable
          groups={shown}
          pairs={asked}
          all={cells}
          answers={answers}
          label={label}
          chosen={[row, column]}
        />
        <Notes groups={groups} read={read} label={label} isCut={isCut} most={most} />
      </div>
      {chosen !== undefined && (
        <Explanation
          key={`${from} ${to}`}
          from={shown[row]}
          to={shown[column]}
          pairs={chosen}
          all={cells[row]?.[column]?.length ?? 0}
          answers={answers}
          asked={new Map(questions.map((pair) => [pair.key, pair]))}
          destination={destination}
          close={() => navigate({ pivot: [] }, { replace: true })}
        />
      )}
    </div>
  );
}

/** Asks the questions one after the other, and returns the answers so far. */
function useAnswers(
  questions: readonly Pair[],
  destination: Destination,
  pods: readonly PodMetadata[],
): Answers {
  const [answers, setAnswers] = useState<Answers>(new Map());
  const text = JSON.stringify([questions.map(({ key }) => key), destination]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text stands for the questions; new pods ask again
  useEffect(() => {
    const ending = new AbortController();
    let found = new Map<string, Reachability | Error>();
    setAnswers(found);
    const tell = (key: string, answer: Reachability | Error) => {
      found = new Map(found).set(key, answer);
      setAnswers(found);
    };
    void askAll(questions, destination, tell, ending.signal);
    return () => ending.abort(new Error('other questions are asked'));
  }, [text, pods]);
  return answers;
}

interface NotesProps extends Pick<MatrixProps, 'groups' | 'read' | 'label'> {
  readonly isCut: boolean;
  readonly most: number;
}

/** What the matrix leaves out. */
function Notes({ groups, read, label, isCut, most }: NotesProps) {
  const left = groups.slice(MOST_GROUPS);
  const pods = left.reduce((sum, { count }) => sum + count, 0);
  const texts = [
    left.length > 0 &&
      `Left out: ${left.length} more values of ${label}, with ${pods} pods: ${left
        .slice(0, 5)
        .map(({ name }) => name)
        .join(', ')}${left.length > 5 ? ' …' : ''}`,
    read.isPart &&
      `Only the first ${read.pods.length} pods are considered. Choose a namespace to see all of its pods.`,
    isCut && `A cell asks about ${most} pairs of different pods at most, those of the most pods.`,
    read.selectors === undefined &&
      'The policies cannot be listed, so only pods with equal labels count as alike.',
    read.hasAddresses &&
      read.selectors !== undefined &&
      'Some policies name address ranges: there, the answer holds for the one pod that stands for its group.',
  ].filter((text) => text !== false);
  return (
    <>
      {texts.map((text) => (
        <p key={text} class="meta">
          {text}
        </p>
      ))}
    </>
  );
}

/** The field of the label, with the keys that the pods have. */
function KeyField({ value, pods }: { readonly value: string; readonly pods: readonly PodMetadata[] }) {
  const found = useMemo(() => {
    const counts = new Map<string, number>();
    for (const { metadata } of pods) {
      for (const key in metadata.labels) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return [...counts]
      .sort((one, other) => other[1] - one[1])
      .slice(0, 50)
      .map(([key]) => key);
  }, [pods]);
  const change = (key: string) => {
    const { keys, fields } = route.value;
    navigate({ ...writeInputs({ ...readInputs(keys, fields), key }), pivot: [] });
  };
  return (
    <label class="inline-field">
      <span class="meta">Group by</span>
      <select value={value} onChange={(event) => change(event.currentTarget.value)}>
        {[...new Set([value, ...found])].map((key) => (
          <option key={key} value={key}>
            {key}
          </option>
        ))}
      </select>
    </label>
  );
}

function PortFields({ port, protocol }: { readonly port: string; readonly protocol: string }) {
  const [draft, setDraft] = useState(port);
  const wrong = portError(draft);
  const change = (part: { port?: string; protocol?: string }) => {
    const { keys, fields } = route.value;
    navigate(writeInputs({ ...readInputs(keys, fields), ...part }), { replace: true });
  };
  return (
    <>
      <label class="inline-field">
        <span class="meta">Port</span>
        <input
          class="port"
          value={draft}
          spellcheck={false}
          aria-invalid={wrong !== undefined}
          title={wrong ?? 'Enter asks'}
          onInput={(event) => setDraft(event.currentTarget.value.trim())}
          onChange={() => wrong === undefined && change({ port: draft })}
        />
      </label>
      <select
        aria-label="Protocol"
        value={protocol}
        onChange={(event) => change({ protocol: event.currentTarget.value })}
      >
        {PROTOCOLS.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
      {wrong !== undefined && <span class="field-error">{wrong}</span>}
    </>
  );
}
