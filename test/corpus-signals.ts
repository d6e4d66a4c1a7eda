/** The signals that the texts of test/corpus/signals are about. */
export const corpusSignals: readonly string[] = [
  "[END]",
  "[DONE]",
  "[WAIT]",
  "[NEXT]",
  "[QUESTION]",
  "[ROUTE_EXECUTOR]",
  "[END_EXAM]",
  "[OK]",
  "[KẾT_THÚC]",
  "[CÂU_HỎI]",
  "[HOÀN THÀNH]",
];
