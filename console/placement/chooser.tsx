import { useState } from 'preact/hooks';
import { ask, asking, findKind, kinds, METADATA_LIST, pathOf } from '../api/index.ts';
import { navigate, openText, parseOpen, route } from '../route/index.ts';
import { moveFocus, Shown } from '../set-objects/index.ts';
import { ErrorPanel, useAsked, Waiting } from '../widgets/index.ts';
import { isText } from './ask-placement.ts';

/** The built-in kinds that are pods or have a pod template. */
const PLACEABLE = [
  ...['pods', 'deployments.apps', 'statefulsets.apps', 'daemonsets.apps', 'replicasets.apps'],
  ...['jobs.batch', 'cronjobs.batch', 'replicationcontrollers', 'podtemplates'],
];
/** The annotation of a definition whose objects have a pod template. */
const TEMPLATE = 'winnow.dev/pod-template';
/** The most names that one list has. */
const MOST = 500;

const EXAMPLE = `apiVersion: v1
kind: Pod
metadata:
  name: example
spec:
  nodeSelector:
    disk: ssd
  containers:
    - name: app
      image: example/app:1
      resources:
        requests: { cpu: "2", memory: 4Gi }
`;

interface Metadata {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}

/** The choice of what to place: an object by its name, or a text. */
export function Chooser({ question }: { readonly question: string }) {
  const [mode, setMode] = useState<'object' | 'text'>(isText(question) ? 'text' : 'object');
  return (
    <section class="chooser" aria-label="What to place">
      <fieldset class="toggle" aria-label="Kind of question">
        <button type="button" aria-pressed={mode === 'object'} onClick={() => setMode('object')}>
          An object
        </button>
        <button type="button" aria-pressed={mode === 'text'} onClick={() => setMode('text')}>
          YAML
        </button>
      </fieldset>
      {mode === 'object' ? <ObjectChooser question={question} /> : <TextChooser question={question} />}
    </section>
  );
}

function ObjectChooser({ question }: { readonly question: string }) {
  const { namespace, as, groups } = route.value;
  const named = isText(question) ? undefined : parseOpen(question);
  const [kindId, setKind] = useState(named?.kind ?? 'pods');
  const [filter, setFilter] = useState('');
  const custom = useAsked('definitions', customKinds).answer ?? [];
  const kind = findKind(kindId);
  const { answer, error, again } = useAsked(
    JSON.stringify([kindId, namespace, as, groups]),
    async (signal) => {
      if (kind === undefined) return undefined;
      const query = { limit: String(MOST) };
      type List = {
        items: readonly Metadata[];
        metadata: { remainingItemCount?: number; continue?: string };
      };
      return ask<List>(pathOf(kind, namespace), { query, accept: METADATA_LIST, signal });
    },
  );
  const wanted = filter.trim().toLowerCase();
  const found = (answer?.items ?? []).filter(({ metadata }) => metadata.name.includes(wanted));
  return (
    <>
      <select aria-label="Kind" value={kindId} onChange={(event) => setKind(event.currentTarget.value)}>
        {[...new Set([...PLACEABLE, ...custom, kindId])]
          .filter((id) => kinds.value.some((one) => one.id === id))
          .map((id) => (
            <option key={id} value={id}>
              {id}
            </option>
          ))}
      </select>
      <input
        aria-label="Filter by name"
        placeholder="Filter by name"
        spellcheck={false}
        value={filter}
        onInput={(event) => setFilter(event.currentTarget.value)}
      />
      {error !== undefined && <ErrorPanel error={error} retry={again} />}
      {answer === undefined && error === undefined && <Waiting />}
      {answer !== undefined && found.length === 0 && (
        <p class="meta">
          {wanted === ''
            ? `There are no ${kindId} here. Choose another kind or namespace.`
            : 'No name contains this text.'}
        </p>
      )}
      <Shown items={found} what="names">
        {(shown) => (
          <ul class="choose-names" onKeyDown={(event) => moveFocus(event, event.currentTarget)}>
            {shown.map(({ metadata }, at) => {
              const text = openText({
                kind: kindId,
                namespace: metadata.namespace ?? '',
                name: metadata.name,
              });
              return (
                <li key={text}>
                  <button
                    type="button"
                    class="row-name clip"
                    title={metadata.name}
                    aria-current={text === question ? 'true' : undefined}
                    tabIndex={text === question || at === 0 ? 0 : -1}
                    onClick={() => navigate({ selector: text })}
                  >
                    {metadata.name}
                  </button>
                  {namespace === '' && <span class="meta">{metadata.namespace}</span>}
                </li>
              );
            })}
          </ul>
        )}
      </Shown>
      {answer?.metadata.continue && (
        <p class="meta">The first {MOST} names. Choose a namespace to see the others.</p>
      )}
    </>
  );
}

function TextChooser({ question }: { readonly question: string }) {
  const [text, setText] = useState(isText(question) ? question : '');
  const place = () => navigate({ selector: text.endsWith('\n') ? text : `${text}\n` });
  return (
    <form
      class="text-chooser"
      onSubmit={(event) => {
        event.preventDefault();
        place();
      }}
    >
      <textarea
        aria-label="YAML or JSON of one object"
        class="mono"
        spellcheck={false}
        placeholder="A Pod, or a workload with a pod template, as YAML or JSON"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) place();
        }}
      />
      <div class="form-actions">
        <button type="button" onClick={() => setText(EXAMPLE)}>
          Example
        </button>
        <button type="submit" class="primary" disabled={text.trim() === ''} title="Ctrl Enter">
          Place
        </button>
      </div>
      <p class="meta">The link of this page holds the text, too. Do not paste secrets.</p>
    </form>
  );
}

/** The ids of custom kinds whose objects have a pod template. Without the right to list definitions there are none. */
async function customKinds(signal: AbortSignal): Promise<readonly string[]> {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const query = { limit: String(MOST) };
  const asked = await asking<{ items: readonly Metadata[] }>(path, { query, accept: METADATA_LIST, signal });
  if ('error' in asked) return [];
  return asked.answer.items
    .filter(({ metadata }) => metadata.annotations?.[TEMPLATE] !== undefined)
    .map(({ metadata }) => metadata.name);
}
