/**
 * Names under which Brazilian banks are known, for the filter of impersonation. In lower case without accents. A name
 * that is an ordinary word as well (`inter`, `next`, `caixa`) stands here only with a word beside it.
 */

/** Unmistakable: found inside longer words too (`bradescoprime`, `nubankapp`). */
export const bankNamesMatchedInsideWords: readonly string[] = [
  'agibank', 'bancodobrasil', 'bancointer', 'bancooriginal', 'bancopan', 'bancosafra', 'banestes', 'banrisul',
  'bradesco', 'btgpactual', 'c6bank', 'caixaeconomica', 'caixafederal', 'citibank', 'daycoval', 'febraban',
  'itaucard', 'itauunibanco', 'mercadopago', 'nubank', 'ourocard', 'pagbank', 'pagseguro', 'picpay', 'santander',
  'sicoob', 'sicredi', 'unibanco', 'willbank',
]; // prettier-ignore

/** As words of their own. */
export const bankNames: readonly string[] = [
  'ailos', 'bacen', 'banco amazonia', 'banco bari', 'banco bb', 'banco bmg', 'banco bs2', 'banco bv', 'banco c6',
  'banco caixa', 'banco carrefour', 'banco central', 'banco cresol', 'banco da amazonia', 'banco digio',
  'banco do brasil', 'banco do nordeste', 'banco fibra', 'banco inter', 'banco master', 'banco mercantil',
  'banco modal', 'banco neon', 'banco next', 'banco original', 'banco pan', 'banco pine', 'banco rendimento',
  'banco safra', 'banco sofisa', 'banco stone', 'banco votorantim', 'banco will', 'banco xp', 'banese', 'banpara',
  'bmg', 'bnp paribas', 'btg', 'btg pactual', 'c6 bank', 'caixa economica', 'caixa federal', 'caixa informa',
  'caixa tem', 'cetelem', 'conta c6', 'conta caixa', 'conta inter', 'conta next', 'cartao bb', 'cartao c6',
  'cartao caixa', 'cartao inter', 'cartao next', 'app bb', 'app caixa', 'bb digital', 'bb informa', 'conta bb',
  'crefisa', 'cresol', 'digio', 'efi bank', 'hsbc', 'inter bank', 'itau', 'itau unibanco', 'iti itau', 'jp morgan',
  'jpmorgan', 'mercado pago', 'mercantil do brasil', 'neon pagamentos', 'nu bank', 'nu pagamentos', 'parana banco',
  'pag bank', 'pag seguro', 'pic pay', 'sofisa', 'unicred', 'will bank', 'xp investimentos',
]; // prettier-ignore
