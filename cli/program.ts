import { Command } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import { addExport, addImport } from './backup/index.ts';
import { addConsole } from './console/index.ts';
import { addDemo } from './demo/index.ts';
import { addDoctor } from './doctor/index.ts';
import { addDiff, addLog, addUndo } from './history/index.ts';
import { addInit } from './init/index.ts';
import { addKubeconfig } from './kubeconfig/index.ts';
import { addPlace } from './place/index.ts';
import { addProxy } from './proxy/index.ts';
import { addCanReach } from './reaching/index.ts';
import { addRestore } from './restore/index.ts';
import { addRules } from './rules/index.ts';
import { addFacets, addMembers, addWhoSelects } from './selecting/index.ts';
import { addStart } from './start/index.ts';
import { addSubscriptions } from './subscriptions/index.ts';
import { addTail } from './tail/index.ts';
import { addTypes } from './types/index.ts';
import { addUpgrade } from './upgrade/index.ts';
import { addVerify } from './verify/index.ts';

const COMMANDS = [
  addStart,
  addDemo,
  addInit,
  addKubeconfig,
  addDoctor,
  addConsole,
  addProxy,
  addPlace,
  addTail,
  addVerify,
  addSubscriptions,
  addCanReach,
  addWhoSelects,
  addMembers,
  addExport,
  addImport,
  addFacets,
  addRules,
  addTypes,
  addLog,
  addDiff,
  addUndo,
  addRestore,
  addUpgrade,
];

/**
 * Creates the program `winnow`. Each command loads its own modules when it runs, so that help is immediate. Parsing throws
 * commander's CommanderError instead of ending the process, after help and version too.
 */
export function createProgram(): Command {
  const program = new Command('bin/winnow.js')
    .description(packageJson.description)
    .version(packageJson.version)
    .exitOverride()
    // Options after the name of a command belong to that command, even if its parent has options of the same names.
    .enablePositionalOptions()
    .showHelpAfterError('(bin/winnow.js --help, bin/winnow.js COMMAND --help)');
  for (const add of COMMANDS) add(program);
  return program;
}
