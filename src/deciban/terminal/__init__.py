"""What people see on a terminal: widths of characters, tables and progress bars."""
