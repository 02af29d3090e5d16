/** A page that shows a live set: it takes a snapshot for each frame. It measures its CPU time from the first change on. */
import { connect, type Kind, resource } from '../../../../lib/client/objects/index.ts';

type Device = Kind<{ spec: { model: string } }>;

const FRAME = 1_000 / 60;
const changes = Number(process.argv[2]);
const devices = connect().objects(resource<Device>('fleet.example/v1', 'devices'), { namespace: 'default' });
const live = devices.live('', { schedule: (run) => setTimeout(run, FRAME) });
let told = 0;
let frames = 0;
live.subscribe(() => {
  frames += live.snapshot().length > 0 ? 1 : 0;
});
await live.ready;
const began = { cpu: process.cpuUsage(), at: performance.now() };
live.on('update', () => {
  if (++told < changes) return;
  const { user, system } = process.cpuUsage(began.cpu);
  const milliseconds = performance.now() - began.at;
  console.log(
    JSON.stringify({
      cpu: (user + system) / 1_000,
      milliseconds,
      objects: live.count,
      changes: told,
      frames,
    }),
  );
  void live.stop();
});
