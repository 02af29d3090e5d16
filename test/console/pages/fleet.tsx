import { connect, type Kind, resource, type WinnowError } from '@winnow-dev/client/objects';
import { type LiveView, useLive, useObject } from '@winnow-dev/client/react';
import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';

interface Spec {
  model: string;
  state: 'active' | 'retired';
}
type Device = Kind<{ spec: Spec }, { spec: Partial<Spec> & Pick<Spec, 'model'> }, 'spec.state'>;

const winnow = connect({ url: location.origin });
const namespace = new URLSearchParams(location.search).get('namespace') ?? 'default';

/** The collection, as a component that takes no care creates it: anew at each rendering. */
const inFleet = () => winnow.objects(resource<Device>('fleet.example/v1', 'devices'), { namespace });

function Summary({ state, count, complete, error }: Omit<LiveView<unknown>, 'objects'>) {
  const failed = error as WinnowError | undefined;
  return (
    <output>
      {state} {count} {complete ? 'complete' : 'incomplete'} {failed?.name}
    </output>
  );
}

/** The devices that a selector selects. */
function Devices({ id, selector }: { id: string; selector: Parameters<typeof useLive>[1] }) {
  const { objects, ...summary } = useLive(inFleet(), selector);
  return (
    <section id={id}>
      <Summary {...summary} />
      <ul>
        {objects.map(({ metadata, spec }) => (
          <li key={metadata.uid}>
            {metadata.name} {spec.state}
          </li>
        ))}
      </ul>
    </section>
  );
}

function One({ name }: { name: string | undefined }) {
  const { object, state } = useObject(inFleet(), name);
  return (
    <p id="one">
      {state} {object?.metadata.name ?? 'none'} {object?.spec.state}
    </p>
  );
}

function Writer() {
  const [result, setResult] = useState('');
  const tell = (request: Promise<{ metadata: { name: string } }>) =>
    request.then(
      ({ metadata }) => setResult(`wrote ${metadata.name}`),
      ({ name, code }: WinnowError) => setResult(`${name} ${code}`),
    );
  const create = (model: string) =>
    tell(inFleet().create({ metadata: { name: 'cam-1', labels: { site: 'north' } }, spec: { model } }));
  const retire = () =>
    tell(
      inFleet().update('cam-1', (device) => {
        device.spec.state = 'retired';
      }),
    );
  return (
    <section id="writer">
      <button type="button" onClick={() => create('x2')}>
        create
      </button>
      <button type="button" onClick={() => create(5 as unknown as string)}>
        create wrongly
      </button>
      <button type="button" onClick={retire}>
        retire
      </button>
      <output>{result}</output>
    </section>
  );
}

function Page() {
  const [shown, setShown] = useState(true);
  const [selector, setSelector] = useState('site=north');
  return (
    <main>
      <button type="button" id="toggle" onClick={() => setShown(!shown)}>
        toggle
      </button>
      <input id="selector" value={selector} onChange={({ target }) => setSelector(target.value)} />
      {shown && <Devices id="first" selector={selector} />}
      {shown && <Devices id="second" selector={selector === 'site=north' ? { site: 'north' } : selector} />}
      <One name={shown ? 'cam-1' : undefined} />
      <Writer />
    </main>
  );
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <Page />
  </StrictMode>,
);
