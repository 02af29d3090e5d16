/**
 * A preload (`node --import`) that lets the parent process move this process' clock: each message `{ shift }` sets by
 * how many ms `Date` is ahead of the machine's clock. Timers go on undisturbed, as when an operating system's clock is
 * set, for they follow the monotonic clock.
 */
const machine = Date;
let shift = 0;

const now = () => machine.now() + shift;

globalThis.Date = new Proxy(machine, {
  construct: (target, given, made) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, made === globalThis.Date ? target : made),
  apply: () => new machine(now()).toString(),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
});

process.on('message', (message) => {
  const told = message as { readonly shift?: number };
  if (typeof told.shift === 'number') shift = told.shift;
});
// The parent's line to this process is no reason to go on.
process.channel?.unref();
