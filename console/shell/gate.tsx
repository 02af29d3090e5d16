import { whyClosed } from '../session/index.ts';
import { Waiting } from '../widgets/index.ts';

/** The page without a session. */
export function Gate({ phase }: { readonly phase: 'opening' | 'closed' }) {
  if (phase === 'opening') return <Waiting what="Opening the session" />;
  return (
    <main class="gate">
      <h1>Winnow</h1>
      <p>
        {whyClosed.value
          ? `No session: ${whyClosed.value}.`
          : 'This page needs a session, or its session has ended.'}
      </p>
      <p class="meta">
        A link opens one session. Press Enter where <code>winnow console</code> or <code>npm start</code> runs
        for a new link. This page goes on when you open the link in another tab of this browser.
      </p>
    </main>
  );
}
