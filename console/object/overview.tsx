import { useState } from 'preact/hooks';
import type { Row } from '../api/index.ts';
import { valueText } from '../selector/index.ts';
import { sessionInfo } from '../session/index.ts';
import type { KubeObject } from '../what-if/index.ts';
import { Age, Waiting } from '../widgets/index.ts';
import { NewestEvents } from './events-tab.tsx';
import { LabelsPanel } from './labels-panel.tsx';
import type { Place } from './object-requests.ts';
import { Relatives } from './relatives-view.tsx';
import { Selections } from './selections-view.tsx';
import { type Condition, conditionsOf, dataOf, linkOf, statusFields } from './status.ts';

/** The most characters of a text that is not opened, and the most texts. */
const MOST = 160;
const MOST_TEXTS = 50;

interface OverviewProps {
  readonly place: Place;
  /** Undefined before it is read. */
  readonly object: KubeObject | undefined;
  /** The object's own metadata, or those of its row. */
  readonly metadata: Row['metadata'];
  readonly changed: () => void;
}

/** What an object is, what selects it, and what it selects. What its row tells is shown before it is read. */
export function Overview({ place, object, metadata, changed }: OverviewProps) {
  return (
    <div class="overview">
      {object === undefined ? (
        <Waiting what={`Reading ${place.name}`} />
      ) : (
        <>
          <LabelsPanel place={place} object={object} changed={changed} />
          <Selections place={place} object={object} />
        </>
      )}
      <Relatives key="relatives" place={place} metadata={metadata} object={object} />
      <NewestEvents key="events" place={place} uid={metadata.uid} />
      {object !== undefined && <State place={place} object={object} />}
    </div>
  );
}

/** What an object says about itself. */
function State({ place, object }: { readonly place: Place; readonly object: KubeObject }) {
  const { creationTimestamp, generation, resourceVersion, uid, finalizers = [] } = object.metadata;
  const fields = statusFields(object);
  const conditions = conditionsOf(object);
  return (
    <>
      {(conditions.length > 0 || fields.length > 0) && <h3>Status</h3>}
      {fields.length > 0 && (
        <dl class="fields">
          {fields.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd class="mono">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {conditions.length > 0 && <Conditions conditions={conditions} />}
      <Data place={place} object={object} />
      <Texts title="Annotations" texts={object.metadata.annotations ?? {}} />
      <h3>Object</h3>
      <dl class="fields">
        <div>
          <dt>created</dt>
          <dd>
            {creationTimestamp} · <Age since={creationTimestamp} />
          </dd>
        </div>
        <div>
          <dt>resourceVersion</dt>
          <dd class="mono">{resourceVersion}</dd>
        </div>
        {generation !== undefined && (
          <div>
            <dt>generation</dt>
            <dd class="mono">{generation}</dd>
          </div>
        )}
        <div class="full">
          <dt>uid</dt>
          <dd class="mono">{uid}</dd>
        </div>
        {finalizers.length > 0 && (
          <div class="full">
            <dt>finalizers</dt>
            <dd class="mono">{finalizers.join(', ')}</dd>
          </div>
        )}
      </dl>
    </>
  );
}

function Conditions({ conditions }: { readonly conditions: readonly Condition[] }) {
  const isTimed = conditions.some(({ since }) => since !== undefined);
  const isReasoned = conditions.some(({ reason, message }) => reason !== '' || message !== '');
  return (
    <table class="plain">
      <thead>
        <tr>
          <th scope="col">Condition</th>
          <th scope="col">Status</th>
          {isTimed && <th scope="col">Since</th>}
          {isReasoned && <th scope="col">Reason</th>}
        </tr>
      </thead>
      <tbody>
        {conditions.map(({ type, status, reason, message, since }) => (
          <tr key={type}>
            <th scope="row">{type}</th>
            <td>{status}</td>
            {isTimed && (
              <td>
                <Age since={since} />
              </td>
            )}
            {isReasoned && (
              <td>
                {reason} {message !== '' && <span class="meta">{message}</span>}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What a ConfigMap holds, and the keys of a Secret. */
function Data({ place, object }: { readonly place: Place; readonly object: KubeObject }) {
  const { id } = place.kind;
  if (id === 'secrets' && !sessionInfo.value.secrets) {
    return (
      <>
        <h3>Data</h3>
        <p class="meta">It is hidden: start the console with --secrets to see it.</p>
      </>
    );
  }
  return ['configmaps', 'secrets'].includes(id) ? <Texts title="Data" texts={dataOf(object)} /> : null;
}

interface TextsProps {
  readonly title: string;
  readonly texts: Readonly<Record<string, string>>;
}

/** Texts of an object by their keys. */
function Texts({ title, texts }: TextsProps) {
  const all = Object.entries(texts);
  const more = all.length - MOST_TEXTS;
  if (all.length === 0) return null;
  return (
    <>
      <h3>
        {title} <span class="meta">{all.length}</span>
      </h3>
      <dl class="fields wide">
        {all.slice(0, MOST_TEXTS).map(([key, value]) => (
          <div key={key}>
            <dt class="mono">{key}</dt>
            <dd class="mono">
              <Value text={value} />
            </dd>
          </div>
        ))}
      </dl>
      {more > 0 && <p class="meta">and {more.toLocaleString('en')} more, in the YAML</p>}
    </>
  );
}

/** A text of an object. An `https:` address is a link, and a long text opens. */
function Value({ text }: { readonly text: string }) {
  const [isOpen, setOpen] = useState(false);
  const link = linkOf(text);
  if (link !== undefined) {
    return (
      <a href={link} target="_blank" rel="noreferrer">
        {text}
      </a>
    );
  }
  if (text.length <= MOST) return <>{valueText(text)}</>;
  return (
    <>
      {isOpen ? text : `${text.slice(0, MOST)}…`}{' '}
      <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'less' : `all ${text.length.toLocaleString('en')} characters`}
      </button>
    </>
  );
}
