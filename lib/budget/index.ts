/** How many requests one user makes, counted over all processes, where a deployment bounds that. */
export {
  createRequestBudget,
  type RefusedRequest,
  type RequestBudget,
  type RequestBudgetOptions,
} from './request-budget.ts';
