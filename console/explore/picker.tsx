import { useRef, useState } from 'preact/hooks';
import { useClickBeside } from '../widgets/index.ts';

interface PickerChoice {
  readonly value: string;
  readonly text: string;
  readonly note: string;
}

interface PickerProps {
  readonly name: string;
  readonly value: string;
  readonly label: string;
  readonly choices: readonly PickerChoice[];
  readonly choose: (value: string) => void;
  /** What any other text stands for; without it only the choices are allowed. */
  readonly free?: string;
}

/** The most choices that are shown at once. */
const MOST = 200;

/** A button that opens a list to choose from, with a field that filters it. */
export function Picker({ name, value, label, choices, choose, free }: PickerProps) {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useClickBeside(root, isOpen, () => setOpen(false));
  const wanted = text.toLowerCase().trim();
  const matching = choices.filter((one) => `${one.text} ${one.note}`.toLowerCase().includes(wanted));
  const isNew = free !== undefined && wanted !== '' && !choices.some((one) => one.value === wanted);
  const offered = [
    ...matching.slice(0, MOST),
    ...(isNew ? [{ value: wanted, text: wanted, note: `${free} of this name` }] : []),
  ];
  const id = `pick-${name.toLowerCase()}`;
  const take = (choice: PickerChoice | undefined) => {
    if (choice === undefined) return;
    setOpen(false);
    setText('');
    button.current?.focus();
    choose(choice.value);
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') {
      setAt(Math.min(at + 1, offered.length - 1));
    } else if (event.key === 'ArrowUp') {
      setAt(Math.max(at - 1, 0));
    } else if (event.key === 'Enter') {
      take(offered[at]);
    } else if (event.key === 'Escape') {
      setOpen(false);
      button.current?.focus();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="menu picker" ref={root}>
      <button
        ref={button}
        type="button"
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        aria-label={`${name}: ${label}`}
        onClick={() => {
          setOpen(!isOpen);
          setAt(
            Math.max(
              0,
              choices.findIndex((one) => one.value === value),
            ),
          );
        }}
      >
        {label} <span aria-hidden="true">▾</span>
      </button>
      {isOpen && (
        <div class="menu-items">
          <input
            autofocus
            ref={(field) => field?.focus()}
            aria-label={`Filter: ${name}`}
            placeholder="Filter"
            role="combobox"
            aria-expanded="true"
            aria-controls={id}
            aria-activedescendant={`${id}-${at}`}
            value={text}
            onInput={(event) => {
              setText(event.currentTarget.value);
              setAt(0);
            }}
            onKeyDown={pressed}
          />
          <div role="listbox" id={id} aria-label={name}>
            {offered.map((one, index) => (
              <div
                key={one.value}
                id={`${id}-${index}`}
                role="option"
                class={one.value === value ? 'current' : ''}
                aria-selected={index === at}
                ref={(element) => (index === at ? element?.scrollIntoView({ block: 'nearest' }) : undefined)}
                onClick={() => take(one)}
              >
                <span>{one.text}</span>
                <span class="meta">{one.note}</span>
              </div>
            ))}
          </div>
        </div>
      )}
    </div>
  );
}
