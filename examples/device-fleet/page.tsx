import { connect, resource } from '@winnow-dev/client/objects';
import { useLive } from '@winnow-dev/client/react';
import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
// Only the type: the schema library stays out of the page.
import type { Device } from './kinds.ts';

const winnow = connect({ url: location.origin });
const devices = winnow.objects(resource<typeof Device>('fleet.example/v1', 'devices'), {
  namespace: 'default',
});

const SETS = { 'All devices': '', Offline: 'connectivity=offline', North: 'site=north' };

function Fleet() {
  const [selector, setSelector] = useState('');
  const { objects, count, state, error } = useLive(devices, selector);
  const [failure, setFailure] = useState('');
  const toggle = async (name: string, connectivity: string) => {
    try {
      await devices.relabel(name, { connectivity });
      setFailure('');
    } catch (thrown) {
      setFailure((thrown as Error).message);
    }
  };
  return (
    <main>
      <h1>Device fleet</h1>
      <nav>
        {Object.entries(SETS).map(([title, text]) => (
          <button
            key={title}
            type="button"
            aria-pressed={text === selector}
            onClick={() => setSelector(text)}
          >
            {title}
          </button>
        ))}
      </nav>
      <p role="status">
        {state === 'starting' ? 'loading' : `${count} ${count === 1 ? 'device' : 'devices'}, ${state}`}
      </p>
      {(failure || error) && <p role="alert">{failure || error?.message}</p>}
      <table>
        <thead>
          <tr>
            <th>Name</th>
            <th>Model</th>
            <th>Site</th>
            <th>Connectivity</th>
          </tr>
        </thead>
        <tbody>
          {objects.map(({ metadata, spec }) => {
            const { site, connectivity = 'online' } = metadata.labels ?? {};
            return (
              <tr key={metadata.uid}>
                <td>{metadata.name}</td>
                <td>{spec.model}</td>
                <td>{site}</td>
                <td>
                  <button
                    type="button"
                    className={connectivity}
                    title="Press to change"
                    onClick={() => toggle(metadata.name, connectivity === 'online' ? 'offline' : 'online')}
                  >
                    {connectivity}
                  </button>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </main>
  );
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <Fleet />
  </StrictMode>,
);
