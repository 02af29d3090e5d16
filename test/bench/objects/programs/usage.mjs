// Loaded before a program: at its end it writes what the process used to the descriptor 3.
import { writeSync } from 'node:fs';

process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeSync(3, JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1_000, mib: maxRSS / 1_024 }));
});
