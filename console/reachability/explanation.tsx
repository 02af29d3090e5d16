import { useEffect, useRef } from 'preact/hooks';
import { sentence } from '../api/index.ts';
import { navigate, openText } from '../route/index.ts';
import { copyText } from '../widgets/index.ts';
import type { Destination } from './ask-reachability.ts';
import { type Answers, cellOf, type Direction, endsOf, type Pair, type PolicyName } from './matrix.ts';
import type { PodClass, PodGroup } from './pod-groups.ts';

interface ExplanationProps {
  readonly from: PodGroup | undefined;
  readonly to: PodGroup | undefined;
  readonly pairs: readonly Pair[];
  /** The number of all pairs of different pods, also of those without an answer. */
  readonly all: number;
  readonly answers: Answers;
  /** The pairs that were asked about, by key. They may be of other groups, whose pods policies treat alike. */
  readonly asked: ReadonlyMap<string, Pair>;
  readonly destination: Destination;
  readonly close: () => void;
}

const WORDS = {
  yes: 'Yes. Each pod of the first group may send to each pod of the second one.',
  no: 'No. No pod of the first group may send to a pod of the second one.',
  partly: 'Partly. Some pods may, and others may not.',
  unclear: 'Unclear. NetworkPolicies do not decide this.',
  part: 'Not all pairs of pods have an answer, so this is only a part: see each of them.',
  failed: 'There is no answer.',
  asking: 'The answers are on their way.',
} as const;

/** Why one group may or may not send to another. */
export function Explanation(props: ExplanationProps) {
  const { from, to, pairs, all, answers, asked, destination, close } = props;
  const { verdict } = cellOf(pairs, answers, all);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.scrollIntoView({ block: 'nearest' }), []);
  const name = `${from?.name} → ${to?.name}`;
  return (
    <section
      class="detail"
      aria-label={`Explanation of ${name}`}
      onKeyDown={(event) => event.key === 'Escape' && close()}
    >
      <header class="detail-head">
        <h2 ref={title}>{name}</h2>
        <span class="meta">
          port {destination.port} {destination.protocol}
        </span>
        <span class="actions">
          <button type="button" class="icon" aria-label="Close the explanation" onClick={close}>
            ✕
          </button>
        </span>
      </header>
      <p class={`callout ${TONES[verdict]}`}>{WORDS[verdict]}</p>
      {pairs.map((pair) => (
        <PairAnswer
          key={pair.key}
          pair={pair}
          asked={endsOf(asked.get(pair.key) ?? pair)}
          answers={answers}
          destination={destination}
        />
      ))}
      {all > pairs.length && (
        <p class="meta">
          {all - pairs.length} more pairs of pods with other labels have no answer here: choose a namespace,
          or group by another label.
        </p>
      )}
    </section>
  );
}

const TONES = {
  yes: 'enter',
  no: 'leave',
  partly: 'change',
  unclear: 'muted',
  part: 'change',
  failed: 'leave',
  asking: 'muted',
} as const;
const DECISIONS = { Allowed: 'allowed', Denied: 'denied', Unspecified: 'not decided' } as const;
const DECISION_TONES = { Allowed: 'enter', Denied: 'leave', Unspecified: 'muted' } as const;

interface PairAnswerProps {
  readonly pair: Pair;
  /** The names of the pods that were asked about. */
  readonly asked: { readonly from: string; readonly to: string };
  readonly answers: Answers;
  readonly destination: Destination;
}

function PairAnswer({ pair, asked, answers, destination }: PairAnswerProps) {
  const ends = endsOf(pair);
  const answer = answers.get(pair.key);
  const { port, protocol } = destination;
  const command = [
    `bin/winnow.js can-reach pod/${pair.from.namespace}/${ends.from} pod/${pair.to.namespace}/${ends.to}:${port}`,
    ...(protocol === 'TCP' ? [] : [`--protocol ${protocol}`]),
  ].join(' ');
  return (
    <div class="pair">
      <End title="From" one={pair.from} name={ends.from} />
      <End title="To" one={pair.to} name={ends.to} />
      {answer === undefined ? (
        <p class="meta">…</p>
      ) : answer instanceof Error ? (
        <p class="field-error">{sentence(answer)}</p>
      ) : (
        <>
          <p>
            <b class={DECISION_TONES[answer.decision]}>{DECISIONS[answer.decision]}</b>
          </p>
          {(asked.from !== ends.from || asked.to !== ends.to) && (
            <p class="meta">
              Winnow was asked about {asked.from} → {asked.to}: the policies treat these pods alike.
            </p>
          )}
          <Side title="leaving" side={answer.egress} />
          <Side title="arriving" side={answer.ingress} />
        </>
      )}
      <button type="button" class="link" onClick={() => void copyText(command, 'the command')}>
        Copy as winnow can-reach
      </button>
    </div>
  );
}

function End({
  title,
  one,
  name,
}: {
  readonly title: string;
  readonly one: PodClass;
  readonly name: string;
}) {
  const { count, namespace, selectedBy } = one;
  return (
    <p class="pair-end">
      <span class="meta">{title}</span>
      <span>
        {count} {count === 1 ? 'pod' : 'pods'} of {namespace}{' '}
        {selectedBy.map((text) => (
          <span key={text} class="chip" title="A selector of a policy that matches these pods">
            {text}
          </span>
        ))}
        <span class="meta clip" title={name}>
          {name}
        </span>
      </span>
    </p>
  );
}

function Side({ title, side }: { readonly title: string; readonly side: Direction }) {
  const policies = side.policy === undefined ? (side.selectedBy ?? []) : [side.policy];
  return (
    <p class="pair-end">
      <span class="meta">{title}</span>
      <span>
        {side.message}{' '}
        {policies.map((policy) => (
          <PolicyLink key={`${policy.namespace}/${policy.name}`} policy={policy} />
        ))}
      </span>
    </p>
  );
}

function PolicyLink({ policy: { namespace, name } }: { readonly policy: PolicyName }) {
  const open = openText({ kind: 'networkpolicies.networking.k8s.io', namespace, name });
  return (
    <button type="button" class="link" onClick={() => navigate({ open, tab: '' })}>
      {name}
    </button>
  );
}
