/* The checks of phase one in the device's order (sections 4 to 10). The first broken rule decides the status. */
#ifndef EMU_VALIDATE_H
#define EMU_VALIDATE_H

#include "aclnn/acl_meta.h"
#include "problem.h"

enum emu_route {
	EMU_ROUTE_COMPUTE, /* gradients are to be computed */
	EMU_ROUTE_EMPTY    /* an operand is empty: gradWeight and gradBias become zeros (section 9) */
};

/* 0 and the route, or the status of the first broken rule, explained by one record of error text and one violation. */
aclnnStatus emu_validate(const struct emu_problem *problem, enum emu_route *route);

/* For a problem that failed: adds every other rule that it breaks to the violations. Takes any problem. */
void emu_validate_rest(const struct emu_problem *problem);

#endif
