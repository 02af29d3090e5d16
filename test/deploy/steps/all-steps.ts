import type { Step } from '../trial.ts';
import { awaitSchedule } from './await-schedule.ts';
import { bindPods } from './bind-pods.ts';
import { bootstrap } from './bootstrap.ts';
import { create } from './create.ts';
import { defineKind } from './define-kind.ts';
import { deploy } from './deploy.ts';
import { deployAgain } from './deploy-again.ts';
import { destroy } from './destroy.ts';
import { examine } from './examine.ts';
import { examineAlarms } from './examine-alarms.ts';
import { list } from './list.ts';
import { logIn } from './log-in.ts';
import { patch } from './patch.ts';
import { refuseLosses } from './refuse-losses.ts';
import { remove } from './remove.ts';
import { showConsole } from './show-console.ts';
import { subscribe } from './subscribe.ts';
import { surviveDeadWriter } from './survive-dead-writer.ts';
import { upgrade } from './upgrade.ts';
import { useConstruct } from './use-construct.ts';
import { watch } from './watch.ts';
import { writeConcurrently } from './write-concurrently.ts';

/** In the order they are taken: each builds on those before it. */
export const allSteps: readonly Step[] = [
  bootstrap,
  deploy,
  logIn,
  examine,
  create,
  list,
  patch,
  remove,
  watch,
  showConsole,
  subscribe,
  defineKind,
  writeConcurrently,
  surviveDeadWriter,
  awaitSchedule,
  examineAlarms,
  deployAgain,
  refuseLosses,
  upgrade,
  bindPods,
  destroy,
  useConstruct,
];
