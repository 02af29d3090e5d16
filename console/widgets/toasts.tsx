import { signal } from '@preact/signals';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly kind: 'done' | 'failed';
  readonly action?: { readonly text: string; readonly act: () => void } | undefined;
}

/** The time for which a message stays, in ms. One with an action stays until it is closed or the page goes on for long. */
const STAYS = 5_000;
const STAYS_WITH_ACTION = 60_000;

const shown = signal<readonly Toast[]>([]);
let last = 0;

/** Shows a message at the edge of the page. */
export function toast(
  text: string,
  { kind = 'done', action }: Partial<Omit<Toast, 'id' | 'text'>> = {},
): void {
  const id = ++last;
  shown.value = [...shown.value.slice(-3), { id, text, kind, action }];
  setTimeout(() => close(id), action === undefined ? STAYS : STAYS_WITH_ACTION);
}

function close(id: number): void {
  shown.value = shown.value.filter((one) => one.id !== id);
}

/** The messages of the last seconds. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.value.map(({ id, text, kind, action }) => (
        <div key={id} class={`toast ${kind}`}>
          <span>{text}</span>
          {action && (
            <button
              type="button"
              onClick={() => {
                close(id);
                action.act();
              }}
            >
              {action.text}
            </button>
          )}
          <button type="button" class="icon" aria-label="Close the message" onClick={() => close(id)}>
            ✕
          </button>
        </div>
      ))}
    </div>
  );
}

/** Copies a text, and says so. */
export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(`Copied ${what}`);
  } catch {
    toast('The browser does not allow the page to copy', { kind: 'failed' });
  }
}

/** Saves a text as a file. */
export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}
