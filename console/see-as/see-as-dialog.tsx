import { useEffect, useId, useState } from 'preact/hooks';
import { kinds } from '../api/index.ts';
import { navigate, route } from '../route/index.ts';
import { Field } from '../set-objects/index.ts';
import { Dialog, ErrorPanel, useAsked } from '../widgets/index.ts';
import { askRights, checkPerson, kindsToAsk, type Person, type Rights, readKnown } from './ask-rights.ts';
import { RightsTable } from './rights-table.tsx';
import { readGroups } from './subjects.ts';

/** The most users that are offered as buttons. */
const MOST = 12;

/** Chooses the user as which the page reads, and tells what that user may do. */
export function SeeAsDialog({ close }: { readonly close: () => void }) {
  const { as, groups, namespace, kind } = route.value;
  const [user, setUser] = useState(as);
  const [groupText, setGroupText] = useState(groups.join(', '));
  const [person, setPerson] = useState<Person | undefined>(as === '' ? undefined : { user: as, groups });
  const known = useAsked('known', readKnown).answer;
  const lists = { users: useId(), groups: useId() };
  const typed = { user: user.trim(), groups: readGroups(groupText) };
  const isChecked = person?.user === typed.user && person.groups.join() === typed.groups.join();
  const see = () => {
    navigate({ as: typed.user, groups: typed.user === '' ? [] : typed.groups });
    close();
  };
  return (
    <Dialog
      title="See as another user"
      size="wide"
      close={close}
      actions={
        <>
          {as !== '' && (
            <button
              type="button"
              onClick={() => {
                navigate({ as: '', groups: [] });
                close();
              }}
            >
              Stop seeing as {as}
            </button>
          )}
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button type="button" disabled={typed.user === '' || isChecked} onClick={() => setPerson(typed)}>
            Check
          </button>
          <button type="button" class="primary" disabled={typed.user === '' && as === ''} onClick={see}>
            See
          </button>
        </>
      }
    >
      <p class="meta">
        The page then reads what this user reads, and writes nothing. Reviews, such as those of Placement, are
        still yours. Your own roles must allow you to impersonate the user.
      </p>
      <form
        class="field-pair"
        onSubmit={(event) => {
          event.preventDefault();
          if (typed.user !== '') setPerson(typed);
        }}
      >
        <Field label="User" hint="Empty to end it. Enter checks what the user may do">
          {(parts) => (
            <input
              {...parts}
              list={lists.users}
              class="mono"
              spellcheck={false}
              autocomplete="off"
              placeholder="jane"
              value={user}
              onInput={(event) => setUser(event.currentTarget.value)}
            />
          )}
        </Field>
        <Field label="Groups" hint="With commas between them">
          {(parts) => (
            <input
              {...parts}
              list={lists.groups}
              class="mono"
              spellcheck={false}
              autocomplete="off"
              placeholder="shop-team"
              value={groupText}
              onInput={(event) => setGroupText(event.currentTarget.value)}
            />
          )}
        </Field>
        <button type="submit" hidden />
      </form>
      <datalist id={lists.users}>
        {(known?.users ?? []).map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <datalist id={lists.groups}>
        {(known?.groups ?? []).map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      {known !== undefined && known.users.length > 0 && (
        <p class="known">
          <span class="meta">Named in bindings and grants:</span>
          {known.users.slice(0, MOST).map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={one === typed.user}
              onClick={() => {
                setUser(one);
                setPerson({ user: one, groups: typed.groups });
              }}
            >
              {one}
            </button>
          ))}
          {known.users.length > MOST && (
            <span class="meta">and {known.users.length - MOST} more, in the field</span>
          )}
        </p>
      )}
      {person !== undefined && isChecked && kinds.value.length > 0 && (
        <Checked key={JSON.stringify(person)} person={person} namespace={namespace} shown={kind} />
      )}
    </Dialog>
  );
}

interface CheckedProps {
  readonly person: Person;
  readonly namespace: string;
  /** The id of the kind that the page shows. */
  readonly shown: string;
}

/** Whether the page may read as the user, and what the user may do. */
function Checked({ person, namespace, shown }: CheckedProps) {
  const checked = useAsked('check', (signal) => checkPerson(person, signal));
  const [rights, setRights] = useState<readonly Rights[]>([]);
  const [error, setError] = useState<Error>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the part is a new one for each person
  useEffect(() => {
    const ending = new AbortController();
    askRights(person, namespace, kindsToAsk(shown), setRights, ending.signal).catch((failure: Error) => {
      if (ending.signal.aborted) return;
      ending.abort(failure);
      setError(failure);
    });
    return () => ending.abort(new Error('the window was closed'));
  }, []);
  return (
    <>
      {checked.error !== undefined && (
        <>
          <p>The page cannot read as this user:</p>
          <ErrorPanel error={checked.error} retry={checked.again} />
        </>
      )}
      {error !== undefined && <ErrorPanel error={error} />}
      {error === undefined && <RightsTable rights={rights} user={person.user} namespace={namespace} />}
    </>
  );
}
