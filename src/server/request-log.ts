/** A line of the log for each request, on standard error. */
export interface RequestLog {
  begin(method: string, path: string): LogEntry;
  /** Something that people should know besides. */
  note(message: string): void;
}

/** One request. What it is about is filled in as it becomes known. */
interface LogEntry {
  token: string | undefined;
  run: string | undefined;
  end(status: number): void;
}

/** Neither bodies nor queries nor headers are logged: they may hold secrets. */
export function createRequestLog(
  {
    isLogJson: isJson,
    logsRequests = true,
    write,
  }: {
    readonly isLogJson: boolean;
    readonly logsRequests?: boolean;
    readonly write: (line: string) => void;
  },
  redact: (text: string) => string,
): RequestLog {
  const tell = (line: string, fields: Readonly<Record<string, unknown>>) => {
    const time = new Date().toISOString();
    write(isJson ? JSON.stringify({ time, ...fields }) : `${time} ${line}`);
  };
  return {
    begin(method, path) {
      const began = performance.now();
      const entry: LogEntry = {
        token: undefined,
        run: undefined,
        end: (status) => {
          if (!logsRequests) return;
          const ms = Math.round(performance.now() - began);
          const { token, run } = entry;
          const shown = redact(path);
          const about = `${token === undefined ? "" : ` token=${token}`}${run === undefined ? "" : ` run=${run}`}`;
          tell(`${status} ${method} ${shown} ${ms}ms${about}`, { status, method, path: shown, ms, token, run });
        },
      };
      return entry;
    },
    note(message) {
      const shown = redact(message);
      tell(shown, { message: shown });
    },
  };
}
