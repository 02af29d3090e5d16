import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type KubeObject, whyNoWrites } from '../what-if/index.ts';
import { copyText, Empty, ErrorPanel, toast, Waiting } from '../widgets/index.ts';
import { yamlOf } from '../yaml/index.ts';
import type { Place } from './object-requests.ts';
import { SaveReview } from './save-review.tsx';
import { DraftError, draftOf, readDraft } from './yaml-text.ts';
import { YamlView } from './yaml-view.tsx';

interface YamlTabProps {
  readonly place: Place;
  readonly object: KubeObject;
  readonly changed: () => void;
}

/** An edit that is not saved. It outlives the tab, the drawer and the object, until the page is closed. */
interface Draft {
  /** The object as it was when the edit began. */
  readonly begun: KubeObject;
  readonly from: string;
  text: string;
}

/** The edits that are not saved, by the objects' kinds and names. */
const drafts = new Map<string, Draft>();

// The browser asks before it leaves a page with an edit that would be lost.
addEventListener('beforeunload', (event) => {
  if ([...drafts.values()].some(({ from, text }) => text !== from)) event.preventDefault();
});

/** The YAML of an object, to read and to edit. */
export function YamlTab({ place, object, changed }: YamlTabProps) {
  const { resourceVersion } = object.metadata;
  const id = keyOf(place);
  const [draft, setDraft] = useState(drafts.get(id));
  const [withManagers, setWithManagers] = useState(false);
  const why = whyNoWrites(place.kind.id);
  if (draft !== undefined) {
    const end = () => {
      drafts.delete(id);
      setDraft(undefined);
    };
    return <EditYaml place={place} object={object} draft={draft} end={end} changed={changed} />;
  }
  const { managedFields: _managedFields, ...metadata } = object.metadata as KubeObject['metadata'] & {
    managedFields?: unknown;
  };
  const text = yamlOf(withManagers ? object : { ...object, metadata });
  const edit = () => {
    const from = yamlOf(draftOf(object));
    const begun = { begun: object, from, text: from };
    drafts.set(id, begun);
    setDraft(begun);
  };
  return (
    <div class="yaml-tab">
      <p class="tab-bar">
        <label>
          <input
            type="checkbox"
            checked={withManagers}
            onChange={(event) => setWithManagers(event.currentTarget.checked)}
          />{' '}
          managed fields
        </label>
        <button type="button" onClick={() => void copyText(text, 'the YAML')}>
          Copy
        </button>
        <button type="button" class="primary" disabled={why !== ''} title={why} onClick={edit}>
          Edit
        </button>
      </p>
      {place.kind.id === 'secrets' && why !== '' && <p class="remark">{why}.</p>}
      <YamlView key={resourceVersion} text={text} label={`YAML of ${place.name}`} />
    </div>
  );
}

/** The draft of an object that was deleted meanwhile, if there is one. */
export function LostDraft({ place, none }: { readonly place: Place; readonly none: ComponentChildren }) {
  const draft = drafts.get(keyOf(place));
  if (draft === undefined) return <>{none}</>;
  return (
    <div class="yaml-tab">
      <p class="tab-bar">
        <span class="leave">The object was deleted while you edited it. Your draft is still here.</span>
        <button type="button" onClick={() => void copyText(draft.text, 'your draft')}>
          Copy
        </button>
      </p>
      <YamlView text={draft.text} label={`Your draft of ${place.name}`} />
    </div>
  );
}

function keyOf({ kind, namespace, name }: Place): string {
  return `${kind.id} ${namespace}/${name}`;
}

interface EditYamlProps extends YamlTabProps {
  readonly draft: Draft;
  readonly end: () => void;
}

function EditYaml({ place, object, draft, end, changed }: EditYamlProps) {
  const [reviewed, setReviewed] = useState<KubeObject>();
  const [problem, setProblem] = useState('');
  const isOutdated = object.metadata.resourceVersion !== draft.begun.metadata.resourceVersion;
  const review = () => {
    try {
      setReviewed(readDraft(draft.text, draft.begun));
      setProblem('');
    } catch (error) {
      if (!(error instanceof DraftError)) throw error;
      setProblem(error.message);
    }
  };
  if (reviewed !== undefined) {
    return (
      <SaveReview
        place={place}
        object={object}
        begun={draft.begun}
        draft={reviewed}
        back={() => setReviewed(undefined)}
        saved={() => {
          end();
          toast(`Saved ${place.name}`);
          changed();
        }}
        changed={changed}
      />
    );
  }
  return (
    <div class="yaml-tab">
      <p class="tab-bar">
        <span class="meta">
          {isOutdated
            ? 'The object has changed since you began. Your draft is still here; the review shows what differs.'
            : 'Server-side apply: fields of other managers are not overwritten without a question.'}
        </span>
        <button type="button" onClick={end}>
          Discard
        </button>
        <button type="button" class="primary" onClick={review}>
          Review
        </button>
      </p>
      {problem !== '' && (
        <p class="remark leave-edge" role="alert">
          {problem}
        </p>
      )}
      <Editor draft={draft} label={`YAML of ${place.name}`} save={review} />
    </div>
  );
}

interface EditorProps {
  readonly draft: Draft;
  readonly label: string;
  readonly save: () => void;
}

/** CodeMirror, which is loaded when the first edit begins. */
function Editor({ draft, label, save }: EditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(save);
  latest.current = save;
  const [error, setError] = useState<Error>();
  const [isOpen, setOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor has the text once it is open
  useEffect(() => {
    let close: (() => void) | undefined;
    let isLeft = false;
    import('./yaml-editor.ts').then(({ openYamlEditor }) => {
      if (isLeft || place.current === null) return;
      const editor = openYamlEditor(place.current, {
        text: draft.text,
        label,
        changed: (text) => {
          draft.text = text;
        },
        save: () => latest.current(),
      });
      close = () => editor.destroy();
      setOpen(true);
      editor.focus();
    }, setError);
    return () => {
      isLeft = true;
      close?.();
    };
  }, []);
  if (error !== undefined) {
    return (
      <Empty title="The editor could not be loaded">
        <ErrorPanel error={error} />
      </Empty>
    );
  }
  return (
    <>
      {!isOpen && <Waiting what="Loading the editor" />}
      <div class="yaml-editor" ref={place} />
    </>
  );
}
