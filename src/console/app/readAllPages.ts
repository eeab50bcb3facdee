/** All rows of a list that is answered by the page. Pure. */
export const readAllPages = async <Page extends { cursor: string | number | null }, One>(
  read: (cursor: string | undefined) => Promise<Page>,
  rowsOf: (page: Page) => readonly One[],
): Promise<One[]> => {
  const rows: One[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page: Page = await read(cursor);
    rows.push(...rowsOf(page));
    cursor = page.cursor === null ? null : String(page.cursor);
  }
  return rows;
};
