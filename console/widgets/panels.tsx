import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { explained, findKind } from '../api/index.ts';
import { route } from '../route/index.ts';

/** A failure in the server's words, with what finds the request in the audit log. */
export function ErrorPanel({
  error,
  retry,
}: {
  readonly error: Error;
  readonly retry?: (() => void) | undefined;
}) {
  const { message, code, auditId } = explained(error);
  const advice = adviceFor(`${code} ${message}`);
  return (
    <div class="panel error" role="alert">
      <p>
        {code !== '' && <strong>{code}: </strong>}
        {message}
      </p>
      {advice !== '' && <p>{advice}</p>}
      {auditId !== '' && (
        <p class="meta">
          Audit id <code>{auditId}</code>
        </p>
      )}
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** What the user can change about the question. */
function adviceFor(text: string): string {
  const { namespace, kind } = route.value;
  if (/^400.* field (label|selector)/.test(text)) {
    return 'Every kind has metadata.name and metadata.namespace; a custom kind also has the selectableFields of its definition.';
  }
  const isEverywhere = namespace === '' && findKind(kind)?.namespaced !== false;
  return isEverywhere && /^403.* cannot (list|watch) /.test(text)
    ? 'Rights may hold in one namespace only: choose a namespace.'
    : '';
}

/** An empty state that says what to do next. */
export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="panel empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

/** The time before the page says that it waits, in ms. */
const PATIENCE = 300;

/** Says that an answer is on its way, once that takes a while. */
export function Waiting({ what = 'Loading' }: { readonly what?: string }) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE);
    return () => clearTimeout(timer);
  }, []);
  return isLate ? (
    <p class="panel meta" role="status">
      {what} …
    </p>
  ) : null;
}
