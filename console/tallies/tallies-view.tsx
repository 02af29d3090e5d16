import { useState } from 'preact/hooks';
import { findKind, kinds, kindsError } from '../api/index.ts';
import { SetBar, Shown, useFollowed } from '../set-objects/index.ts';
import { whyNoWrites } from '../what-if/index.ts';
import { Empty, ErrorPanel, Waiting } from '../widgets/index.ts';
import { NewTally } from './new-tally.tsx';
import { type TallyBody, TallyCard } from './tally-card.tsx';

const KIND = 'tallies.winnow.dev';

/** All Tallies, with their counts as Winnow changes them. */
export function TalliesView() {
  const { objects, number, isComplete, state, error } = useFollowed<TallyBody>(KIND);
  const [isNew, setNew] = useState(false);
  const kind = findKind(KIND);
  if (kindsError.value !== undefined) return <ErrorPanel error={kindsError.value} />;
  if (kinds.value.length === 0) return <Waiting />;
  if (kind === undefined) return <Empty title="This server serves no Tallies." />;
  const why = whyNoWrites();
  const add = (
    <button type="button" class="primary" disabled={why !== ''} title={why} onClick={() => setNew(true)}>
      New Tally
    </button>
  );
  return (
    <div class="side-view">
      <SetBar title="Tallies" note={number} state={state}>
        {add}
      </SetBar>
      <div class="view-content">
        {error !== undefined && <ErrorPanel error={error} />}
        {!isComplete && objects.length === 0 && error === undefined && <Waiting what="Loading Tallies" />}
        {isComplete && objects.length === 0 && (
          <Empty title="No Tally here yet.">
            <p>
              A Tally counts the objects that a selector matches, in total and by labels. With bounds, it says
              when there are too few or too many.
            </p>
            {add}
          </Empty>
        )}
        <Shown items={objects} what="Tallies" size={24}>
          {(shown) => (
            <div class="cards">
              {shown.map((one) => (
                <TallyCard key={one.metadata.uid} kind={kind} tally={one} />
              ))}
            </div>
          )}
        </Shown>
      </div>
      {isNew && <NewTally kind={kind} close={() => setNew(false)} />}
    </div>
  );
}
