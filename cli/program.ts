import { Command } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import { addExport, addImport } from './backup/index.ts';
import { addDemo } from './demo/index.ts';
import { addDoctor } from './doctor/index.ts';
import { addInit } from './init/index.ts';
import { addKubeconfig } from './kubeconfig/index.ts';
import { addPlace } from './place/index.ts';
import { addCanReach } from './reaching/index.ts';
import { addRestore } from './restore/index.ts';
import { addFacets, addMembers, addWhoSelects } from './selecting/index.ts';
import { addStart } from './start/index.ts';
import { addSubscriptions } from './subscriptions/index.ts';
import { addTail } from './tail/index.ts';
import { addUpgrade } from './upgrade/index.ts';
import { addVerify } from './verify/index.ts';

const COMMANDS = [
  addStart,
  addDemo,
  addInit,
  addKubeconfig,
  addDoctor,
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
  addRestore,
  addUpgrade,
];

/**
 * The program `winnow`. A command's own modules are loaded when it runs, so help is immediate. Parsing throws
 * commander's CommanderError after help and version too, instead of ending the process.
 */
export function createProgram(): Command {
  const program = new Command('bin/winnow.js')
    .description(packageJson.description)
    .version(packageJson.version)
    .exitOverride()
    // Options behind the name of a command are those of that command, also where its parent has some of the same name.
    .enablePositionalOptions()
    .showHelpAfterError('(bin/winnow.js --help, bin/winnow.js COMMAND --help)');
  for (const add of COMMANDS) add(program);
  return program;
}
