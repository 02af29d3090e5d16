import { Waiting } from '../widgets/index.ts';

/** The page without a session. */
export function Gate({ phase }: { readonly phase: 'opening' | 'closed' }) {
  if (phase === 'opening') return <Waiting what="Opening the session" />;
  return (
    <main class="gate">
      <h1>Winnow</h1>
      <p>
        This page needs a session. Open the link that <code>winnow console</code> or <code>npm start</code>{' '}
        printed.
      </p>
      <p class="meta">A link opens one session. Press Enter in the terminal of the command for a new link.</p>
    </main>
  );
}
