export { type CheckCrewOptions, checkCrew } from "./definition/check-crew.ts";
export type { LoadedDefinition } from "./definition/load-definition.ts";
export type { LoadEnvironment } from "./definition/load-environment.ts";
export type { LoadOptions } from "./definition/loading.ts";
export type { Project } from "./definition/read-project.ts";
export type { Burnt } from "./diagnosis/burnt.ts";
export { type Diagnosis, diagnose } from "./diagnosis/diagnose.ts";
export {
  type CrewKey,
  type Evidence,
  type FailureMode,
  type Finding,
  type FindingCode,
  failureModes,
} from "./diagnosis/finding.ts";
export type { CoverageKind } from "./flow/coverage/coverage-item.ts";
export { buildGraph, type CrewGraph, type EdgeKind, type GraphEdge, type GraphNode } from "./flow/crew-graph.ts";
export { drawAscii } from "./flow/draw-ascii.ts";
export { drawDot } from "./flow/draw-dot.ts";
export { drawMermaid } from "./flow/draw-mermaid.ts";
export { drawSvg } from "./flow/draw-svg.ts";
export { listSignalUses } from "./flow/list-signal-uses.ts";
export type { Assumption } from "./flow/plan/assume-run.ts";
export type { Figure } from "./flow/plan/measure.ts";
export type { ModelFacts } from "./flow/plan/model-facts.ts";
export { overlayPlan } from "./flow/plan/overlay-plan.ts";
export {
  type BindingQuota,
  type Figures as PlannedFigures,
  type LikelyCase,
  type Plan,
  type PlanJson,
  planToJson,
  type Suggestion,
  type WorstCase,
} from "./flow/plan/plan.ts";
export { type PlanOptions, planOf } from "./flow/plan/plan-of.ts";
export type { RecordedRun } from "./flow/plan/recorded-runs.ts";
export type { CallGroup } from "./flow/plan/work.ts";
export { buildRunGraph } from "./flow/run-graph.ts";
export type { Decision as ImportDecision, IdleKey, ImportKind, MappedKey, OriginalPlace } from "./import/crew-plan.ts";
export { importCrew } from "./import/import-crew.ts";
export type { CrewImport, ImportedCrew, ImportOptions, ImportReport } from "./import/import-sources.ts";
export type { CrewText } from "./import/render-crew.ts";
export { checkStore, type StoreCheck, type StoreProgress } from "./journal/check-store.ts";
export { copyStore, type StoreCopy } from "./journal/copy-store.ts";
export type {
  HandoffPath,
  HandoffQuery,
  HandoffRecord,
  LoopFigures,
  OutcomeCounts,
  PathFigures,
  StoredHandoff,
  StoredStatistics,
} from "./journal/handoff-record.ts";
export type {
  FoundMemory,
  MemoryEntry,
  MemoryQuery,
  RecallQuery,
  RememberedEntry,
  StoredMemory,
} from "./journal/memory-entry.ts";
export { openMemoryStore } from "./journal/memory-store.ts";
export { openPostgresStore } from "./journal/open-postgres-store.ts";
export { openSqliteStore } from "./journal/open-sqlite-store.ts";
export type { PostgresOptions, PostgresStoreOptions } from "./journal/postgres-options.ts";
export type { SqliteStoreOptions } from "./journal/sqlite-store.ts";
export type {
  DocumentWrite,
  Lease,
  RunQuery,
  Store,
  StoredDocument,
  StoredRun,
} from "./journal/store.ts";
export type {
  AgentStatistics,
  LoopStatistics,
  PathStatistics,
  Statistics,
  SuccessRate,
} from "./learning/describe-statistics.ts";
export type { Expectation } from "./learning/expect-success.ts";
export type { Verdict } from "./learning/handoff-records.ts";
export type { RankedTarget } from "./learning/rank-targets.ts";
export type * from "./library/agent-keys.ts";
export type { BeginOptions, BegunRun } from "./library/begin-stored.ts";
export type { CheckedAgent, CheckedCrew } from "./library/checked-crew.ts";
export type { ContinuedRuns, GivenAnswer } from "./library/continue-runs.ts";
export type { Conversation, ConversationOptions } from "./library/conversation.ts";
export type {
  AgentDefinition,
  AgentInCode,
  CrewDefinition,
  CrewInCode,
  RouterDestinations,
} from "./library/crew-definition.ts";
export type { CrewHandle } from "./library/crew-handle.ts";
export type * from "./library/crew-keys.ts";
export type { CrewLearning, SuggestionQuery } from "./library/crew-learning.ts";
export type { CrewTypes, MissingContext, NeededByFunctions, NeededContext, OptionsWith } from "./library/crew-types.ts";
export { type ContextOfCrew, type CrewCodeEnvironment, defineAgent, defineCrew } from "./library/define-crew.ts";
export {
  type Deletion,
  type DeletionOptions,
  deleteConversation,
  deleteRun,
  deleteUser,
  listDeletions,
  listPrunable,
  type PruneOptions,
  pruneRuns,
} from "./library/delete-runs.ts";
export type { EnqueueOptions } from "./library/enqueue-run.ts";
export { type LoadCrewOptions, loadCrew, type ReadingOptions } from "./library/load-crew.ts";
export type { OutputDefinition } from "./library/name-outputs.ts";
export type { ObjectOfCrew } from "./library/object-of-crew.ts";
export type { PlanCrewOptions } from "./library/plan-crew.ts";
export {
  type Model,
  ModelError,
  type ModelErrorOptions,
  type ModelReply,
  type ModelRequest,
  type RequestFile,
  type ToolSpecification,
} from "./models/model.ts";
export type { AiSdkModel, ModelChoice, ModelObject } from "./models/model-choice.ts";
export type { ListedModel, Price } from "./models/price-table.ts";
export type { Script, ScriptedReply } from "./models/script-model.ts";
export type { ExternalSignal } from "./orchestration/crew-run.ts";
export type { TeamKind, TeamSaid, TeamSoFar } from "./orchestration/patterns/team-kind.ts";
export { type ScriptReplies, type ScriptReply, script } from "./prepare/script.ts";
export type { Clock, Wait } from "./run/clock.ts";
export type { Feedback } from "./run-storage/feedback.ts";
export type { Idempotency } from "./run-storage/idempotency.ts";
export { listInbox, type WaitingRun } from "./run-storage/list-inbox.ts";
export type { CrewInput, InputWithFiles } from "./runtime/bring-files.ts";
export type { ExternalAnswer, ExternalHandler } from "./runtime/deliver-external.ts";
export type {
  CrewEnvironment,
  HistoryMessage,
  ModelRegistry,
  QueueOptions,
  ResumeOptions,
  RunOptions,
  StartOptions,
  ToolRegistry,
} from "./runtime/environment.ts";
export type { SentRequest } from "./runtime/find-request.ts";
export type { Fork } from "./runtime/fork-run.ts";
export type { RunHandle, RunStream } from "./runtime/live-run.ts";
export { type ExpiredRun, listExpired } from "./runtime/pause-deadline.ts";
export type { Replay } from "./runtime/replay-run.ts";
export type { ContextRequest, ContextSource, FittingContext, GivenContext } from "./runtime/resolve-context.ts";
export type { CoveredItem, CrewCoverage } from "./scenario/coverage.ts";
export { jsonSchemas } from "./scenario/json-schemas.ts";
export type { RunScenariosOptions, ScenarioReport, ScenarioResults } from "./scenario/play-scenarios.ts";
export { coverageOf, runScenarios } from "./scenario/run-scenarios.ts";
export type { ServerRequest } from "./servers/hold-servers.ts";
export type { BindingType } from "./signals/binding-types.ts";
export { createDefaultSignals } from "./signals/default-signals.ts";
export { matchSignal, type SignalVerdict } from "./signals/match-signal.ts";
export type { ConfigurationProblem } from "./signals/read-binding.ts";
export { type ReportedSignal, reportSignals, type SignalUse } from "./signals/report-signals.ts";
export { type SignalMatch, type SignalScope, scanSignals, signalScopes } from "./signals/scan-signals.ts";
export type { SignalBehavior, SignalDefinition } from "./signals/signal-definition.ts";
export {
  type IndexedSignal,
  indexSignals,
  type MatchLevel,
  type ResolvedToken,
  type SignalIndex,
} from "./signals/signal-index.ts";
export type { SignalProblem } from "./signals/signal-problems.ts";
export { createSignalRegistry, type SignalRegistry } from "./signals/signal-registry.ts";
export { createSignalScanner, type SignalScanner } from "./signals/signal-scanner.ts";
export {
  type ConfigurationWorld,
  type GivenBinding,
  validateConfiguration,
} from "./signals/validate-configuration.ts";
export { type SignalWorld, validateEmission, type WrittenBinding } from "./signals/validate-signals.ts";
export type { AgentFunction } from "./tools/agent-function.ts";
export { defineTool, type ToolDefinition, type ToolPauseTimeout } from "./tools/define-tool.ts";
export type { JsonSchema, StandardIssue, StandardResult, StandardSchema } from "./tools/standard-schema.ts";
export type { Tool, ToolArguments, ToolContext } from "./tools/tool.ts";
export { type Account, buildAccounts } from "./views/accounts.ts";
export type { ConversationState } from "./views/conversation-state.ts";
export type { Cost, Figures } from "./views/figures.ts";
export type { ChainLink, ResultEnding, ResultFields, RunResult, RunStatus } from "./views/run-result.ts";
export type * from "./vocabulary/agent-limits.ts";
export type { Attachment, AttachmentLimits, AttachmentMode } from "./vocabulary/attachment.ts";
export type { AttachmentInput } from "./vocabulary/attachment-input.ts";
export type { Bill, Usage, UsageSum } from "./vocabulary/bill.ts";
export type * from "./vocabulary/crew.ts";
export {
  type Diagnostic,
  type DiagnosticCode,
  diagnosticCodes,
  type Severity,
  warningCodes,
} from "./vocabulary/diagnostic.ts";
export {
  type BatonErrorCode,
  type ContinueErrorCode,
  errorCodes,
  type PreparationErrorCode,
  type StartErrorCode,
  type StoreErrorCode,
} from "./vocabulary/error-codes.ts";
export { BatonError, ConfigurationError } from "./vocabulary/errors.ts";
export type * from "./vocabulary/event-data.ts";
export type * from "./vocabulary/events.ts";
export type * from "./vocabulary/guard.ts";
export type { RunId } from "./vocabulary/ids.ts";
export type * from "./vocabulary/memory-keys.ts";
export type { Message, ProviderMetadata, ToolCall, ToolFacts } from "./vocabulary/messages.ts";
export type {
  Decision,
  PauseDecision,
  Paused,
  PauseReason,
  PauseTimeout,
  RecordedAnswer,
  ResumeAnswer,
} from "./vocabulary/pause.ts";
export type * from "./vocabulary/quota.ts";
export type * from "./vocabulary/remote.ts";
export type * from "./vocabulary/run-start.ts";
export type { ApiTools, FileTools, ShellTools, TodoTools, ToolSet, WebTools } from "./vocabulary/tool-set.ts";
