import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { OutcomeUnknownError } from '../../lib/client/objects/index.ts';
import { ask, asking, type KindInfo, objectPath, pathOf } from '../api/index.ts';
import { whyNoWrites } from '../what-if/index.ts';
import { copyText, Dialog, ErrorPanel, toast, useAsked } from '../widgets/index.ts';

interface Draft {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: object;
}

interface DraftDialogProps {
  readonly kind: KindInfo;
  readonly draft: Draft;
  /** Whether the form has everything that the server needs. */
  readonly isReady: boolean;
  readonly children: ComponentChildren;
  /** What the object would do now. */
  readonly preview: ComponentChildren;
  readonly created: (metadata: Draft['metadata']) => void;
  readonly close: () => void;
}

/**
 * A form that creates an object. The server checks the object by a dry run first. If it warns, the user decides again.
 */
export function DraftDialog({ kind, draft, isReady, children, preview, created, close }: DraftDialogProps) {
  const [error, setError] = useState<Error>();
  const [isBusy, setBusy] = useState(false);
  const [warned, setWarned] = useState<{ readonly question: string; readonly warnings: readonly string[] }>();
  const body = { apiVersion: kind.apiVersion, kind: kind.kind, ...draft };
  // The YAML is for people only, so its library need not be there at once.
  const yaml = useAsked('yaml', () => import('../yaml/index.ts')).answer;
  const question = JSON.stringify(body);
  const text = yaml?.yamlOf(body) ?? '';
  const warnings = warned?.question === question ? warned.warnings : [];
  const why = whyNoWrites();
  // A dialog that was left changes nothing on the page any more, which may show another view.
  const isLeft = useRef(false);
  useEffect(
    () => () => {
      isLeft.current = true;
    },
    [],
  );
  const create = async () => {
    setBusy(true);
    setError(undefined);
    try {
      if (warnings.length === 0) {
        const found = await dryRun(kind, body);
        if (found.length > 0) return setWarned({ question, warnings: found });
        if (isLeft.current) return;
      }
      await ask(pathOf(kind, draft.metadata.namespace), { method: 'POST', body });
      toast(`Created ${kind.kind} ${draft.metadata.name}`);
      if (isLeft.current) return;
      created(draft.metadata);
      close();
    } catch (failure) {
      setError(await readOutcome(kind, draft, failure as Error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={`New ${kind.kind}`}
      size="wide"
      close={close}
      actions={
        <>
          <button type="button" onClick={() => void copyText(text, 'the YAML')}>
            Copy YAML
          </button>
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button
            type="button"
            class="primary"
            disabled={!isReady || isBusy || why !== ''}
            title={why}
            onClick={() => void create()}
          >
            {warnings.length > 0 ? 'Create in spite of the warnings' : 'Create'}
          </button>
        </>
      }
    >
      <div class="draft">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (isReady && !isBusy && why === '') void create();
          }}
        >
          {children}
          <button type="submit" hidden />
        </form>
        <div class="draft-preview">
          <h3>Matching now</h3>
          {preview}
          <h3>YAML</h3>
          <pre tabIndex={0}>{text}</pre>
        </div>
      </div>
      {warnings.map((one) => (
        <p key={one} class="callout change" role="alert">
          <b>Warning:</b> {one}
        </p>
      ))}
      {error !== undefined && <ErrorPanel error={error} />}
    </Dialog>
  );
}

/** Lets the server check the object without storing it. Returns its warnings. */
async function dryRun(kind: KindInfo, body: Draft): Promise<readonly string[]> {
  let found: readonly string[] = [];
  const warned = (warnings: readonly string[]) => {
    found = warnings;
  };
  const path = pathOf(kind, body.metadata.namespace);
  await ask(path, {
    method: 'POST',
    body,
    query: { dryRun: 'All' },
    isRead: false,
    isRepeatable: true,
    warned,
  });
  return found;
}

/** If the answer to a create was lost, the object tells whether it was created. The create is not repeated. */
async function readOutcome(kind: KindInfo, { metadata }: Draft, error: Error): Promise<Error> {
  if (!(error instanceof OutcomeUnknownError)) return error;
  const asked = await asking(objectPath(kind, metadata));
  const found = 'answer' in asked ? 'An object of this name exists now' : 'There is no object of this name';
  return new Error(`The answer was lost, so the object may have been created. ${found}.`, { cause: error });
}
