/**
 * The word for a call that was not done. A person rejects an edit and denies any other call. A call is refused if nobody
 * was asked: by a rule, by plan mode, or in an untrusted workspace.
 */
export function denialLabel(toolName: string, wasAsked: boolean): 'Rejected' | 'Denied' | 'Refused' {
  if (!wasAsked) return 'Refused';
  return toolName === 'apply_edit' || toolName === 'write_file' ? 'Rejected' : 'Denied';
}
