"""One thin file per message format or framework: it translates into a ledger, and decides nothing."""
