/** The way in which a quote was found in the file, from strict to tolerant. */
export type MatchKind =
  | 'exact'
  | 'line_ends'
  | 'trailing_space'
  | 'typography'
  | 'indentation'
  | 'blank_lines'
  | 'wrapping'
  | 'missing_line'
  | 'near';
