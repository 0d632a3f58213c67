class TaskError(Exception):
    """One line for the user: what is wrong, and what to do about it."""
